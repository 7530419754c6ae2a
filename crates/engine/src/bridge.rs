//! The requests of one cell: which are open, which wait for their turn, which have been answered.
//!
//! A request is settled exactly once: settling takes it out of `open`, and only what was in there can be
//! put into the inbox. The inbox keeps the order of arrival.

use crate::timers::TimerKey;
use code_mode_catalog::Entry;
use std::collections::{BTreeMap, HashMap, VecDeque};

/// What a guest asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Method {
    Search,
    Describe,
    Call,
    CallValue,
    Namespace,
    Mcp,
    Yield,
    Agent,
}

impl Method {
    pub(crate) fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "search" => Self::Search,
            "describe" => Self::Describe,
            "call" => Self::Call,
            "callValue" => Self::CallValue,
            "namespace" => Self::Namespace,
            "mcp" => Self::Mcp,
            "yield" => Self::Yield,
            "agent" => Self::Agent,
            _ => return None,
        })
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Describe => "describe",
            Self::Call => "call",
            Self::CallValue => "callValue",
            Self::Namespace => "namespace",
            Self::Mcp => "mcp",
            Self::Yield => "yield",
            Self::Agent => "agent",
        }
    }

    /// Whether it runs a tool of the catalog.
    pub(crate) fn is_tool_call(self) -> bool {
        matches!(self, Self::Call | Self::CallValue | Self::Namespace | Self::Mcp)
    }
}

/// A request as the guest made it.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) id: u32,
    pub(crate) method: Method,
    pub(crate) target: String,
    /// JSON text.
    pub(crate) body: String,
}

impl Request {
    /// Reads `<id> <method> <target as JSON>\n<body>`; `None` for anything else.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let (head, body) = line.split_once('\n')?;
        let mut words = head.splitn(3, ' ');
        let id = words.next()?.parse().ok()?;
        let method = Method::parse(words.next()?)?;
        let target = serde_json::from_str(words.next()?).ok()?;
        Some(Self { id, method, target, body: body.to_owned() })
    }
}

/// A request that has not been answered.
#[derive(Debug)]
pub(crate) struct Open {
    pub(crate) method: Method,
    pub(crate) target: String,
    /// The tool it runs, if any.
    pub(crate) entry: Option<Entry>,
    /// With the host.
    pub(crate) dispatched: bool,
    /// Input, until it is dispatched.
    pub(crate) body: String,
    /// Nested tool call id.
    pub(crate) nested_id: String,
}

/// An answer on its way into the guest.
#[derive(Debug)]
pub(crate) struct Settled {
    pub(crate) id: u32,
    pub(crate) outcome: Outcome,
}

/// What an answer is.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// JSON text of the value.
    Value(String),
    /// JSON text of `{message, …}`.
    Error(String),
    /// A tool's answer, to be checked against its contract and shaped before it is delivered.
    Tool { method: Method, entry: Entry, text: String },
    /// A guest timer.
    Timer,
}

/// A running timer of the guest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GuestTimer {
    pub(crate) key: TimerKey,
    /// Does not keep the cell from completing.
    pub(crate) background: bool,
}

/// See the module description.
#[derive(Debug, Default)]
pub(crate) struct Bridge {
    open: BTreeMap<u32, Open>,
    queue: VecDeque<u32>,
    in_flight: usize,
    agents_in_flight: usize,
    sequential_in_flight: bool,
    pub(crate) timers: HashMap<u32, GuestTimer>,
    pub(crate) inbox: Vec<Settled>,
    pub(crate) yields: Vec<(u32, String)>,
    calls: u64,
    /// The host holds state for this cell.
    pub(crate) asked_host: bool,
}

impl Bridge {
    /// Adds a request that the host is to answer; it waits in the queue until [`Bridge::next_dispatch`] gives it out.
    pub(crate) fn add(&mut self, request: Request, entry: Option<Entry>, parent: &str) {
        self.calls += 1;
        let name = entry.as_ref().map_or(request.method.as_str(), |entry| entry.name.as_str());
        let open = Open {
            nested_id: format!("{parent}/{name}/{}", self.calls),
            method: request.method,
            target: request.target,
            entry,
            dispatched: false,
            body: request.body,
        };
        self.open.insert(request.id, open);
        self.queue.push_back(request.id);
    }

    /// The next queued request that may go out, in order: at most `limit` in flight, sequential tools alone. An
    /// agent beyond its own cap lets others pass.
    pub(crate) fn next_dispatch(&mut self, limit: usize, agent_limit: usize) -> Option<(u32, &mut Open)> {
        if self.sequential_in_flight || self.in_flight >= limit {
            return None;
        }
        let agents_full = self.agents_in_flight >= agent_limit;
        let waits =
            |id: &u32| agents_full && self.open.get(id).is_some_and(|open| open.method == Method::Agent);
        let at = self.queue.iter().position(|id| !waits(id))?;
        let id = *self.queue.get(at)?;
        let open = self.open.get(&id)?;
        let sequential = open.entry.as_ref().is_some_and(|entry| entry.sequential);
        if sequential && self.in_flight > 0 {
            return None;
        }
        if open.method == Method::Agent {
            self.agents_in_flight += 1;
        }
        self.queue.remove(at);
        self.in_flight += 1;
        self.sequential_in_flight = sequential;
        let open = self.open.get_mut(&id)?;
        open.dispatched = true;
        Some((id, open))
    }

    /// Takes a request out because its answer is here. `None`: not open (answered before, or never asked).
    pub(crate) fn settle(&mut self, id: u32) -> Option<Open> {
        let open = self.open.remove(&id)?;
        if open.dispatched {
            self.in_flight -= 1;
            if open.method == Method::Agent {
                self.agents_in_flight -= 1;
            }
            if open.entry.as_ref().is_some_and(|entry| entry.sequential) {
                self.sequential_in_flight = false;
            }
        } else {
            self.queue.retain(|queued| *queued != id);
        }
        Some(open)
    }

    /// Open requests in order of their making.
    pub(crate) fn open(&self) -> impl Iterator<Item = (u32, &Open)> {
        self.open.iter().map(|(id, open)| (*id, open))
    }

    /// Whether nothing is open, no timer runs and nothing waits to be delivered.
    pub(crate) fn is_quiet(&self) -> bool {
        !self.awaits_host() && self.inbox.is_empty() && self.yields.is_empty()
    }

    /// Whether something outside the guest is still to come that a finished program waits for.
    pub(crate) fn awaits_host(&self) -> bool {
        !self.open.is_empty() || self.timers.values().any(|timer| !timer.background)
    }

    /// Whether anything is still to come that could settle a promise.
    pub(crate) fn could_settle(&self) -> bool {
        !self.open.is_empty() || !self.timers.is_empty()
    }

    /// Number of open requests.
    pub(crate) fn open_count(&self) -> usize {
        self.open.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(id: u32) -> Request {
        Request { id, method: Method::CallValue, target: "x".into(), body: "{}".into() }
    }

    #[test]
    fn a_line_of_the_guest_is_read_or_refused() {
        let request = Request::parse("7 call \"openclaw:core:a b\"\n{\"x\":\"\\n\"}").expect("valid");
        assert_eq!(
            (request.id, request.method, request.target.as_str(), request.body.as_str()),
            (7, Method::Call, "openclaw:core:a b", "{\"x\":\"\\n\"}")
        );
        for bad in ["", "7 call", "x call \"a\"\n1", "7 jump \"a\"\n1", "7 call a\n1", "7 call \"a\""] {
            assert!(Request::parse(bad).is_none(), "{bad:?}");
        }
    }

    #[test]
    fn calls_go_out_in_order_up_to_the_limit_and_settle_once() {
        let mut bridge = Bridge::default();
        for id in 1..=3 {
            bridge.add(request(id), None, "exec");
        }
        assert_eq!(
            bridge.next_dispatch(2, 8).map(|(id, open)| (id, open.nested_id.clone())),
            Some((1, "exec/callValue/1".into()))
        );
        assert_eq!(bridge.next_dispatch(2, 8).map(|(id, _)| id), Some(2));
        assert!(bridge.next_dispatch(2, 8).is_none());
        assert!(bridge.settle(2).is_some());
        assert!(bridge.settle(2).is_none());
        assert_eq!(bridge.next_dispatch(2, 8).map(|(id, _)| id), Some(3));
        assert!(bridge.settle(9).is_none());
        assert!(bridge.settle(1).is_some() && bridge.settle(3).is_some());
        assert!(bridge.is_quiet());
    }

    #[test]
    fn an_agent_beyond_its_cap_holds_up_nobody_else() {
        let mut bridge = Bridge::default();
        for (id, method) in [(1, Method::Agent), (2, Method::Agent), (3, Method::CallValue)] {
            bridge.add(Request { method, ..request(id) }, None, "exec");
        }
        let mut next = |agents| bridge.next_dispatch(16, agents).map(|(id, _)| id);
        assert_eq!([next(1), next(1), next(1)], [Some(1), Some(3), None]);
        assert!(bridge.settle(1).is_some());
        assert_eq!(bridge.next_dispatch(16, 1).map(|(id, _)| id), Some(2));
    }

    #[test]
    fn a_request_settled_in_the_queue_never_goes_out() {
        let mut bridge = Bridge::default();
        bridge.add(request(1), None, "exec");
        assert!(bridge.settle(1).is_some_and(|open| !open.dispatched));
        assert!(bridge.next_dispatch(4, 8).is_none());
        assert!(bridge.is_quiet());
    }
}
