//! Suspended cells by the id that `wait` takes. In memory only; never crosses runs.
//!
//! A place is reserved at a cell's first suspension and held until the cell ends, so a resumed cell can
//! always be suspended again.

use crate::cell::Cell;
use parking_lot::Mutex;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Ids of expired cells that are remembered, so that a late `wait` learns what happened.
const REMEMBERED: usize = 1024;
const PREFIX: &str = "cm_";

/// See the module description.
pub(crate) struct Store {
    cells: Mutex<HashMap<String, Arc<Cell>>>,
    expired: Mutex<VecDeque<String>>,
    reserved: AtomicUsize,
    capacity: usize,
    image_bytes: AtomicUsize,
    parked: AtomicUsize,
}

impl Store {
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            cells: Mutex::default(),
            expired: Mutex::default(),
            reserved: AtomicUsize::new(0),
            capacity,
            image_bytes: AtomicUsize::new(0),
            parked: AtomicUsize::new(0),
        }
    }

    /// Takes a place; false when all are taken.
    fn reserve(&self) -> bool {
        self.reserved
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |n| (n < self.capacity).then_some(n + 1))
            .is_ok()
    }

    /// Takes a place unless the caller holds one; true when it holds one afterwards.
    pub(crate) fn reserve_unless(&self, held: bool) -> bool {
        held || self.reserve()
    }

    /// Gives a place back.
    pub(crate) fn release(&self) {
        self.reserved.fetch_sub(1, Ordering::AcqRel);
    }

    /// Files a cell under a new id.
    pub(crate) fn insert(&self, cell: Arc<Cell>) -> String {
        let id = format!("{PREFIX}{}", uuid::Uuid::new_v4());
        self.cells.lock().insert(id.clone(), cell);
        id
    }

    pub(crate) fn get(&self, id: &str) -> Option<Arc<Cell>> {
        self.cells.lock().get(id).map(Arc::clone)
    }

    pub(crate) fn remove(&self, id: &str) {
        self.cells.lock().remove(id);
    }

    pub(crate) fn remember_expired(&self, id: String) {
        let mut expired = self.expired.lock();
        if expired.len() == REMEMBERED {
            expired.pop_front();
        }
        expired.push_back(id);
    }

    pub(crate) fn was_expired(&self, id: &str) -> bool {
        self.expired.lock().iter().any(|known| known == id)
    }

    /// Counts an image in or out.
    pub(crate) fn image_added(&self, bytes: usize) {
        self.image_bytes.fetch_add(bytes, Ordering::Relaxed);
        self.parked.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn image_removed(&self, bytes: usize) {
        self.image_bytes.fetch_sub(bytes, Ordering::Relaxed);
        self.parked.fetch_sub(1, Ordering::Relaxed);
    }

    /// (cells stored as images, bytes of all images)
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.parked.load(Ordering::Relaxed), self.image_bytes.load(Ordering::Relaxed))
    }
}

/// Whether `id` has the shape of an id of ours: `cm_` and a UUID.
pub(crate) fn looks_like_run_id(id: &str) -> bool {
    id.strip_prefix(PREFIX).is_some_and(|rest| uuid::Uuid::try_parse(rest).is_ok())
}
