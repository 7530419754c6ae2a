//! Intersection of types, for `allOf`, `$ref` with neighbours, and `anyOf` beside other keywords.

use super::{Object, Others, Property, Type};

/// Members that an intersection of unions may have; beyond that one of the two stands for both.
pub(super) const MEMBERS: usize = 64;

impl Type {
    /// What both types say. Where they contradict each other the result is `unknown`: the schema is odd, and a wrong
    /// type would mislead more than none.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, known) | (known, Self::Unknown) => known,
            (Self::Object(a), Self::Object(b)) => Self::Object(a.and(b)),
            (Self::Union(members), other) | (other, Self::Union(members)) => distribute(members, &other),
            (Self::Array(a), Self::Array(b)) => Self::Array(Box::new(a.and(*b))),
            (tuple @ Self::Tuple { .. }, Self::Array(_)) | (Self::Array(_), tuple @ Self::Tuple { .. }) => {
                tuple
            }
            (a, b) if a == b || a.is_kind(&b) => a,
            (a, b) if b.is_kind(&a) => b,
            _ => Self::Unknown,
        }
    }

    /// Whether this is a literal of the other, primitive type.
    fn is_kind(&self, primitive: &Self) -> bool {
        let Self::Literal(text) = self else { return false };
        match primitive {
            Self::String => text.starts_with('"'),
            Self::Boolean => text == "true" || text == "false",
            Self::Number => text.starts_with(|first: char| first == '-' || first.is_ascii_digit()),
            _ => false,
        }
    }

    fn overlaps(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Unknown | Self::Union(_), _)
            | (_, Self::Unknown | Self::Union(_))
            | (Self::Object(_), Self::Object(_))
            | (Self::Array(_) | Self::Tuple { .. }, Self::Array(_) | Self::Tuple { .. }) => true,
            _ => self == other || self.is_kind(other) || other.is_kind(self),
        }
    }
}

fn distribute(members: Vec<Type>, other: &Type) -> Type {
    let others = if let Type::Union(others) = other { others.len() } else { 1 };
    if members.len() * others > MEMBERS {
        return Type::Union(members);
    }
    let both = members
        .iter()
        .filter(|member| member.overlaps(other))
        .map(|member| member.clone().and(other.clone()));
    match Type::union(both) {
        Type::Never => Type::Unknown,
        known => known,
    }
}

impl Object {
    fn and(mut self, other: Self) -> Self {
        for property in other.properties {
            match self.properties.iter_mut().find(|known| known.name == property.name) {
                Some(known) => known.and(property),
                None => self.properties.push(property),
            }
        }
        self.cut |= other.cut;
        // `allOf` of closed objects accepts nothing beside the shared properties; authors mean the sum.
        self.others = match (self.others, other.others) {
            (Others::Of(a), Others::Of(b)) => Others::Of(Box::new(a.and(*b))),
            (of @ Others::Of(_), _) | (_, of @ Others::Of(_)) => of,
            (Others::None, _) | (_, Others::None) => Others::None,
            (Others::Unsaid, Others::Unsaid) => Others::Unsaid,
        };
        self.sort();
        self
    }

    /// Required first, each group by name.
    pub(crate) fn sort(&mut self) {
        self.properties.sort_by(|a, b| (a.optional, &a.name).cmp(&(b.optional, &b.name)));
    }
}

impl Property {
    fn and(&mut self, other: Self) {
        self.of = std::mem::replace(&mut self.of, Type::Unknown).and(other.of);
        self.optional &= other.optional;
        self.description = self.description.take().or(other.description);
        self.default = self.default.take().or(other.default);
    }
}
