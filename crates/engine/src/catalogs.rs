//! Catalogs of recent runs, by their tools. A gateway opens a run for every agent turn, mostly with the same
//! tools; what a catalog derives from them (search index, hints, declarations) is then there already.
//!
//! A catalog holds nothing of a run but its tools, so equal tools may share one.

use code_mode_catalog::{Catalog, ToolSpec};
use parking_lot::Mutex;
use serde_json::value::RawValue;
use std::collections::VecDeque;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

/// How many different tool sets are kept.
const KEPT: usize = 8;

/// See the module description.
#[derive(Debug, Default)]
pub(crate) struct Catalogs {
    /// Two seeds that nobody outside knows: together a collision cannot be made or met.
    seeds: [RandomState; 2],
    recent: Mutex<VecDeque<([u64; 2], Arc<Catalog>)>>,
}

impl Catalogs {
    /// The catalog for two JSON arrays of tool specs.
    pub(crate) fn get(
        &self,
        tools: Option<&RawValue>,
        client: Option<&RawValue>,
    ) -> serde_json::Result<Arc<Catalog>> {
        let tools = tools.map_or("[]", RawValue::get);
        let client = client.map_or("[]", RawValue::get);
        let key = [self.seeds[0].hash_one((tools, client)), self.seeds[1].hash_one((tools, client))];
        if let Some(known) = self.find(key) {
            return Ok(known);
        }
        let tools: Vec<ToolSpec> = serde_json::from_str(tools)?;
        let client: Vec<ToolSpec> = serde_json::from_str(client)?;
        let catalog = Arc::new(Catalog::new(tools, client));
        let mut recent = self.recent.lock();
        recent.push_front((key, Arc::clone(&catalog)));
        recent.truncate(KEPT);
        Ok(catalog)
    }

    fn find(&self, key: [u64; 2]) -> Option<Arc<Catalog>> {
        let mut recent = self.recent.lock();
        let at = recent.iter().position(|(known, _)| *known == key)?;
        let hit = recent.remove(at)?;
        let catalog = Arc::clone(&hit.1);
        recent.push_front(hit);
        Some(catalog)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Box<RawValue> {
        RawValue::from_string(text.to_owned()).expect("JSON")
    }

    #[test]
    fn equal_tools_share_a_catalog_and_others_do_not() {
        let catalogs = Catalogs::default();
        let a = raw(r#"[{"name":"a"}]"#);
        let b = raw(r#"[{"name":"b"}]"#);
        let first = catalogs.get(Some(&a), None).expect("catalog");
        assert!(Arc::ptr_eq(&first, &catalogs.get(Some(&a), None).expect("catalog")));
        assert!(!Arc::ptr_eq(&first, &catalogs.get(Some(&b), None).expect("catalog")));
        // The same tools from the client are other tools.
        assert!(!Arc::ptr_eq(&first, &catalogs.get(None, Some(&a)).expect("catalog")));
        assert!(catalogs.get(Some(&raw("[3]")), None).is_err());
    }

    #[test]
    fn old_ones_are_forgotten() {
        let catalogs = Catalogs::default();
        for n in 0..20 {
            catalogs.get(Some(&raw(&format!(r#"[{{"name":"t{n}"}}]"#))), None).expect("catalog");
        }
        assert_eq!(catalogs.recent.lock().len(), KEPT);
    }
}
