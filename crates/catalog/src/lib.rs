//! The catalog of one run: the tools behind `exec`, as guests and host see them.
//!
//! Pure and immutable: a [`Catalog`] is built once from the host's tool list, shared between threads, and never
//! changes; adding client tools makes a new version that shares its entries. What costs time (search index, hints,
//! declarations, the guest's `ALL_TOOLS`) is made on first use. Equal tool sets give equal bytes in any order.
//!
//! Everything a tool's author wrote is untrusted text here: it may be shown as data, and it never decides anything.

#![forbid(unsafe_code)]

mod catalog;
mod contract;
mod description;
mod dts;
mod entry;
mod files;
mod hint;
mod id;
mod lookup;
mod mcp;
mod names;
mod quick_index;
mod replay;
mod search;
mod tool;
mod types;

pub use catalog::{Catalog, SourceCounts};
pub use contract::{Contract, ContractError};
pub use description::{ExecDescriptionInput, exec_description, wait_description};
pub use entry::{Entry, EntryData};
pub use files::{FileError, VirtualFiles};
pub use id::CORE_OWNER;
pub use lookup::LookupError;
pub use names::is_identifier;
pub use tool::{ExecutionMode, McpOrigin, Source, ToolSource, ToolSpec};
