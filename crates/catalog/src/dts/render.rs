//! A [`Type`] as indented TypeScript.

use super::doc::one_line;
use crate::types::{Object, Others, Property, Type, property_name};

/// The type's text, its inner lines indented under `indent`; `None` when it is longer than `limit` bytes.
pub(super) fn render(of: &Type, indent: &str, limit: usize) -> Option<String> {
    let mut printer = Printer { out: String::new(), indent: indent.to_owned(), level: 0, limit };
    printer.write(of);
    (printer.out.len() <= limit).then_some(printer.out)
}

struct Printer {
    out: String,
    indent: String,
    level: usize,
    limit: usize,
}

impl Printer {
    fn write(&mut self, of: &Type) {
        if self.out.len() > self.limit {
            return;
        }
        match of {
            Type::Unknown => self.put("unknown"),
            Type::Never => self.put("never"),
            Type::Null => self.put("null"),
            Type::Boolean => self.put("boolean"),
            Type::Number => self.put("number"),
            Type::String => self.put("string"),
            Type::Literal(text) => self.put(text),
            Type::Array(item) => self.generic("Array<", item),
            Type::Tuple { items, required, rest } => {
                self.put("[");
                for (at, item) in items.iter().enumerate() {
                    self.separate(at, ", ");
                    self.item(item, at >= *required);
                }
                if let Some(rest) = rest {
                    self.separate(items.len(), ", ");
                    self.generic("...Array<", rest);
                }
                self.put("]");
            }
            Type::Object(object) => self.object(object),
            Type::Union(members) => {
                for (at, member) in members.iter().enumerate() {
                    self.separate(at, " | ");
                    self.write(member);
                }
            }
        }
    }

    fn item(&mut self, item: &Type, optional: bool) {
        if optional {
            self.put("(");
            self.write(item);
            self.put(")?");
        } else {
            self.write(item);
        }
    }

    fn generic(&mut self, open: &str, of: &Type) {
        self.put(open);
        self.write(of);
        self.put(">");
    }

    fn object(&mut self, object: &Object) {
        if object.properties.is_empty() {
            return match &object.others {
                Others::Of(of) if !object.cut => self.generic("Record<string, ", of),
                Others::None if !object.cut => self.put("Record<string, never>"),
                _ => self.put("Record<string, unknown>"),
            };
        }
        self.put("{\n");
        self.level += 1;
        for property in &object.properties {
            self.property(property);
        }
        if object.cut {
            self.line("// ... and more");
        }
        if object.cut || matches!(object.others, Others::Of(_)) {
            // A narrower index signature would have to admit the types of all declared properties.
            self.line("[key: string]: unknown;");
        }
        self.level -= 1;
        self.margin();
        self.put("}");
    }

    fn property(&mut self, property: &Property) {
        // The outermost level is described by `@param` tags.
        if let Some(description) = property.description.as_ref().filter(|_| self.level > 1) {
            let line = format!("/** {} */", one_line(description));
            self.line(&line);
        }
        self.margin();
        self.put(&property_name(&property.name));
        self.put(if property.optional { "?: " } else { ": " });
        self.write(&property.of);
        self.put(";");
        if let Some(default) = &property.default {
            let comment = format!(" /* default: {} */", one_line(default));
            self.put(&comment);
        }
        self.put("\n");
    }

    fn line(&mut self, text: &str) {
        self.margin();
        self.put(text);
        self.put("\n");
    }

    fn margin(&mut self) {
        self.out.push_str(&self.indent);
        for _ in 0..self.level {
            self.out.push_str("  ");
        }
    }

    fn separate(&mut self, at: usize, separator: &str) {
        if at > 0 {
            self.put(separator);
        }
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }
}
