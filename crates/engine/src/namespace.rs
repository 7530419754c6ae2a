//! Scopes of plugin namespaces inside one cell: what the guest sees, and what each callable stands for.
//!
//! The host hands over a tagged tree per namespace and the callables it met, by path. A guest's call names a
//! namespace and a path; only what was recorded here can be called, so a forged one finds nothing.

use crate::run::{NamespaceSpec, Run};
use code_mode_catalog::Catalog;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::HashMap;

/// Between a namespace id and a path in a guest's request.
const ID_SEPARATOR: char = '\u{1e}';

/// Scopes of one cell, ready for the prelude.
#[derive(Debug, Default)]
pub(crate) struct ScopeTable {
    /// JSON text: `[[namespace id, global name], …]`.
    names: String,
    /// Namespace id -> JSON text of its tree.
    roots: HashMap<String, String>,
    /// `<namespace id><separator><path>` -> exact catalog id.
    callables: HashMap<String, String>,
}

/// One namespace as the host hands it over.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Scope<'a> {
    id: String,
    #[serde(borrow)]
    root: &'a RawValue,
    callables: Vec<(String, String)>,
}

impl ScopeTable {
    /// Reads the host's answer for the namespaces of a run.
    pub(crate) fn parse(text: &str, run: &Run, catalog: &Catalog) -> Result<Self, String> {
        let scopes: Vec<Scope<'_>> = serde_json::from_str(text)
            .map_err(|error| format!("code mode namespace scopes could not be read: {error}"))?;
        let mut table = Self::default();
        let mut names = Vec::with_capacity(scopes.len());
        for scope in scopes {
            let Some(spec) = run.namespaces.iter().find(|spec| spec.id == scope.id) else { continue };
            for (path, tool) in &scope.callables {
                let id = tool_id(spec, tool, catalog)?;
                table.callables.insert(format!("{}{ID_SEPARATOR}{path}", scope.id), id);
            }
            names.push((scope.id.clone(), spec.global_name.clone()));
            table.roots.insert(scope.id, scope.root.get().to_owned());
        }
        table.names = serde_json::json!(names).to_string();
        Ok(table)
    }

    /// What the prelude reads: the names for an empty key, else the tree of a namespace. A cell pays only
    /// for those it touches.
    pub(crate) fn read(&self, key: &str) -> Option<&str> {
        if key.is_empty() { Some(&self.names) } else { self.roots.get(key).map(String::as_str) }
    }

    /// The catalog id behind a guest's target, and the target's namespace and path.
    pub(crate) fn callable<'a>(&self, target: &'a str) -> Option<(&str, &'a str, &'a str)> {
        let id = self.callables.get(target)?;
        let (namespace, path) = target.split_once(ID_SEPARATOR)?;
        Some((id, namespace, path))
    }
}

fn tool_id(spec: &NamespaceSpec, tool: &str, catalog: &Catalog) -> Result<String, String> {
    let declared = spec.required_tool_names.iter().any(|name| name == tool);
    let entry = declared.then(|| catalog.plugin_tool(&spec.plugin_id, tool)).flatten();
    entry.map(|entry| entry.id.clone()).ok_or_else(|| {
        format!(
            "code mode namespace {} may not call \"{tool}\": it is not in requiredToolNames.",
            spec.global_name
        )
    })
}
