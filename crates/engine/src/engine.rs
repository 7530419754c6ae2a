//! The engine as its host sees it. Every call returns at once; what takes time happens on other threads
//! and comes back as a [`HostEvent`].

use crate::bridge::{Bridge, Outcome, Settled};
use crate::catalogs::Catalogs;
use crate::cell::{Cell, CellState, Leg, Phase, Place, Scopes};
use crate::config::as_size;
use crate::core::{Alarm, Core, Counters};
use crate::error::Failure;
use crate::input::{check_scope, language_of, run_id_of, source_of};
use crate::output::Output;
use crate::protocol::{CellId, HostEvent, LegId, Outbox, Reply, RunKey};
use crate::run::{Run, RunSpec, Scope};
use crate::scheduler::Scheduler;
use crate::store::Store;
use crate::telemetry::Telemetry;
use crate::timers::Timers;
use crate::{requests, result, watchdog, worker};
use code_mode_catalog::{Catalog, ExecDescriptionInput, ToolSpec};
use code_mode_transpile::Language;
use code_mode_vm::{PoolOptions, SlotPool, StopHandle};
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Slots kept with their memory while nobody uses them.
const WARM_SLOTS: usize = 64;
/// Workers when the host does not say.
const DEFAULT_WORKERS: usize = 4;

/// Sizes of an engine.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct EngineOptions {
    /// Threads that run guests; default: the number of cores, at most 4.
    pub worker_threads: Option<usize>,
    /// Cells that may be suspended at once.
    pub max_suspended_runs: usize,
    /// Cells that may hold a VM at once; further ones queue.
    pub max_active_cells: usize,
    /// Installs the guest global that crashes the VM. For tests of the crash containment only.
    pub test_hooks: bool,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self { worker_threads: None, max_suspended_runs: 64, max_active_cells: 256, test_hooks: false }
    }
}

/// Counters since the start and gauges of now.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "the fields are documented at EngineStats in index.d.ts")]
pub struct EngineStats {
    pub workers: u64,
    pub active_cells: usize,
    pub queued_cells: usize,
    pub suspended_cells: usize,
    pub snapshot_bytes: usize,
    pub cells_started: u64,
    pub cells_finished: u64,
    pub hard_stops: u64,
    pub crashes: u64,
    pub lost_workers: u64,
    pub late_replies: u64,
    pub typescript_initialisations: u64,
    pub slots_reserved: usize,
    pub slots_warm: usize,
}

/// One `exec` call, as the host hands it in.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExecCall {
    input: Value,
    tool_call_id: String,
    /// The caller had given up before it called.
    #[serde(default)]
    aborted: bool,
}

/// One `wait` call, as the host hands it in.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct WaitCall {
    input: Value,
    tool_call_id: String,
    /// Who asks; absent means the run itself.
    scope: Option<Scope>,
}

/// See the module description. Dropping it shuts it without waiting; [`Engine::join`] waits.
#[derive(Debug)]
pub struct Engine {
    core: Arc<Core>,
    catalogs: Catalogs,
    timer_thread: Mutex<Option<JoinHandle<()>>>,
}

impl Engine {
    /// Starts the threads. `wake` is called, from any thread, when events wait to be taken.
    pub fn new(options: &EngineOptions, wake: Box<dyn Fn() + Send + Sync>) -> std::io::Result<Self> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let workers = options.worker_threads.unwrap_or_else(|| cores.min(DEFAULT_WORKERS)).max(1);
        let core = Arc::new(Core {
            outbox: Outbox::new(wake),
            scheduler: Scheduler::new(options.max_active_cells.max(1)),
            timers: Timers::new(),
            pool: SlotPool::new(PoolOptions { max_warm_slots: WARM_SLOTS }),
            store: Store::new(options.max_suspended_runs),
            counters: Counters::default(),
            runs: Mutex::default(),
            cells: Mutex::default(),
            workers: Mutex::default(),
            worker_count: AtomicU64::new(0),
            base_workers: workers as u64,
            starve_alarm: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            ids: AtomicU64::new(0),
            test_hooks: options.test_hooks,
        });
        let shared = Arc::clone(&core);
        let timer_thread = std::thread::Builder::new().name("code-mode-timer".into()).spawn(move || {
            let fire = |alarm| watchdog::fire(&shared, alarm);
            // Without a clock no limit holds, so nothing may run.
            if shared.timers.run(fire).is_err() {
                shared.closed.store(true, Ordering::Release);
            }
        })?;
        for _ in 0..workers {
            worker::spawn(&core);
        }
        if core.worker_count.load(Ordering::Acquire) == 0 {
            core.timers.close();
            return Err(std::io::Error::other("no worker thread could be started"));
        }
        Ok(Self { core, catalogs: Catalogs::default(), timer_thread: Mutex::new(Some(timer_thread)) })
    }

    /// Opens a run from the JSON text of a [`RunSpec`].
    pub fn open_run(&self, spec: &str) -> Result<RunKey, String> {
        let spec: RunSpec = serde_json::from_str(spec).map_err(|error| error.to_string())?;
        let catalog = self
            .catalogs
            .get(spec.tools.as_deref(), spec.client_tools.as_deref())
            .map_err(|error| error.to_string())?;
        let key = self.core.next_id();
        self.core.runs.lock().insert(key, Arc::new(Run::new(key, spec, catalog)));
        Ok(key)
    }

    /// Aborts the run's cells and forgets it.
    pub fn close_run(&self, run: RunKey) {
        let Some(run) = self.core.runs.lock().remove(&run) else { return };
        run.closed.store(true, Ordering::Release);
        let cells: Vec<_> = run.cells.lock().iter().copied().collect();
        for id in cells {
            let cell = self.core.cells.lock().get(&id).map(Arc::clone);
            if let Some(cell) = cell {
                self.core.abort(&cell);
            }
        }
    }

    /// Adds client tools (JSON array of tool specs); cells already running keep the catalog they started with.
    pub fn add_client_tools(&self, run: RunKey, tools: &str) -> Result<(), String> {
        let tools: Vec<ToolSpec> = serde_json::from_str(tools).map_err(|error| error.to_string())?;
        if let Some(run) = self.run(run) {
            let mut catalog = run.catalog.write();
            *catalog = Arc::new(catalog.with_client_tools(tools));
        }
        Ok(())
    }

    /// What the model reads as the description of `exec`.
    pub fn exec_description(&self, run: RunKey) -> Option<String> {
        let run = self.run(run)?;
        let namespaces: Vec<_> = run
            .namespaces
            .iter()
            .map(|n| (n.global_name.as_str(), n.description.as_str(), n.prompt.as_deref()))
            .collect();
        let config = &run.config;
        let input = ExecDescriptionInput {
            timeout_ms: config.timeout_ms,
            memory_limit_bytes: config.memory_limit_bytes,
            max_output_bytes: config.max_output_bytes,
            max_pending_tool_calls: config.max_pending_tool_calls,
            snapshot_ttl_seconds: config.snapshot_ttl_seconds,
            search_default_limit: config.search_default_limit,
            max_search_limit: config.max_search_limit,
            languages: &config.languages,
            implicit_return: config.implicit_return,
            namespaces: &namespaces,
            swarm: run.swarm,
        };
        Some(code_mode_catalog::exec_description(&run.catalog(), &input))
    }

    /// JSON array of the whole catalog as the host sees it.
    pub fn catalog_json(&self, run: RunKey) -> Option<String> {
        Some(self.run(run)?.catalog().host_view_json())
    }

    /// Ids of the plugin namespaces that the run's guests see.
    pub fn visible_namespaces(&self, run: RunKey) -> Vec<String> {
        self.run(run).map_or_else(Vec::new, |run| run.namespaces.iter().map(|n| n.id.clone()).collect())
    }

    /// JSON text of the run's counters.
    pub fn telemetry_json(&self, run: RunKey) -> Option<String> {
        Some(self.run(run)?.telemetry_json())
    }

    /// Starts a cell. `call` is JSON `{input, toolCallId}`. `Ok`: the cell; a [`HostEvent::LegDone`] with
    /// this leg follows, exactly once. `Err`: the result, known at once.
    pub fn exec(&self, run: RunKey, leg: LegId, call: &str) -> Result<CellId, String> {
        let Some(run) = self.run(run) else { return Err(self.gone()) };
        run.telemetry.lock().execs += 1;
        self.submit(&run, leg, call).map_err(|failure| refuse(&run, &failure))
    }

    /// Resumes a suspended cell. `call` is JSON `{input, toolCallId, scope?}`. Answers as [`Engine::exec`] does.
    pub fn wait(&self, run: RunKey, leg: LegId, call: &str) -> Result<CellId, String> {
        let Some(run) = self.run(run) else { return Err(self.gone()) };
        run.telemetry.lock().waits += 1;
        self.resume(&run, leg, call).map_err(|failure| refuse(&run, &failure))
    }

    /// Aborts a cell in whatever state it is.
    pub fn abort_cell(&self, cell: u64) {
        let cell = self.core.cells.lock().get(&cell).map(Arc::clone);
        if let Some(cell) = cell {
            self.core.abort(&cell);
        }
    }

    /// Takes answers of the host. Ones that nobody waits for are counted and dropped.
    pub fn reply(&self, replies: Vec<Reply>) {
        for reply in replies {
            let cell = self.core.cells.lock().get(&reply.cell).map(Arc::clone);
            match cell {
                Some(cell) if reply.request == 0 => {
                    worker::scopes_arrived(&self.core, &cell, reply.ok, &reply.text);
                }
                Some(cell) => {
                    if !requests::reply(&self.core, &cell, reply) {
                        requests::late(&self.core);
                    }
                }
                None => requests::late(&self.core),
            }
        }
    }

    /// Takes the events that wait. With `polling` the host promises to come back soon by itself, and is not
    /// woken for events until it takes them without.
    pub fn take_events(&self, polling: bool) -> Vec<HostEvent> {
        self.core.outbox.take(polling)
    }

    /// Counters and gauges.
    pub fn stats(&self) -> EngineStats {
        let core = &self.core;
        let (active_cells, queued_cells) = core.scheduler.counts();
        let (suspended_cells, snapshot_bytes) = core.store.counts();
        let pool = core.pool.stats();
        let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        EngineStats {
            workers: core.worker_count.load(Ordering::Relaxed),
            active_cells,
            queued_cells,
            suspended_cells,
            snapshot_bytes,
            cells_started: count(&core.counters.cells_started),
            cells_finished: count(&core.counters.cells_finished),
            hard_stops: count(&core.counters.hard_stops),
            crashes: count(&core.counters.crashes),
            lost_workers: count(&core.counters.lost_workers),
            late_replies: count(&core.counters.late_replies),
            typescript_initialisations: code_mode_transpile::typescript_initialisations(),
            slots_reserved: pool.slots_reserved,
            slots_warm: pool.slots_warm,
        }
    }

    /// Refuses new work and aborts all cells; returns at once. Call [`Engine::join`] afterwards.
    pub fn shut(&self) {
        if self.core.closed.swap(true, Ordering::AcqRel) {
            return;
        }
        let runs: Vec<RunKey> = self.core.runs.lock().keys().copied().collect();
        for run in runs {
            self.close_run(run);
        }
        self.core.scheduler.close();
    }

    /// Joins the threads; takes up to the hard-stop time. Not for the host's own thread.
    pub fn join(&self) {
        let timer = self.timer_thread.lock().take();
        join_all(&self.core, timer);
    }

    fn run(&self, run: RunKey) -> Option<Arc<Run>> {
        self.core.runs.lock().get(&run).map(Arc::clone)
    }

    /// The result where there is no run any more.
    fn gone(&self) -> String {
        let failure = if self.core.closed.load(Ordering::Acquire) {
            Failure::unavailable_engine("the engine is closed")
        } else {
            Failure::aborted()
        };
        let telemetry = Telemetry::new(Vec::new()).to_json(&Catalog::new(Vec::new(), Vec::new()));
        result::failed(&failure, "[]", &telemetry, false)
    }

    fn submit(&self, run: &Arc<Run>, leg: LegId, request: &str) -> Result<CellId, Failure> {
        let asked: ExecCall = serde_json::from_str(request)
            .map_err(|error| Failure::invalid(format!("exec input: {error}")))?;
        let source = source_of(&asked.input)?;
        let language = language_of(run, asked.input.get("language"))?;
        let restart_safe = match asked.input.get("restartSafe") {
            None | Some(Value::Null) => false,
            Some(Value::Bool(given)) => *given,
            Some(_) => return Err(Failure::invalid("restartSafe must be a boolean.")),
        };
        self.check_open(run)?;
        if asked.aborted {
            return Err(Failure::aborted());
        }
        let config = &run.config;
        let cell = Arc::new(Cell {
            id: self.core.next_id(),
            run: Arc::clone(run),
            catalog: run.catalog(),
            language,
            restart_safe: restart_safe || run.restart_safe,
            tool_call_id: asked.tool_call_id.clone(),
            stop: StopHandle::new(),
            started: Instant::now(),
            state: Mutex::new(CellState {
                phase: Phase::Queued,
                place: Place::Source(source),
                leg: None,
                bridge: Bridge::default(),
                output: Output::new(as_size(config.max_output_bytes), config.output_overflow),
                value: None,
                script: None,
                run_id: None,
                reserved: false,
                suspended_at: None,
                ttl: None,
                active: false,
                scopes: Scopes::None,
                reparking: false,
                turn_started: Instant::now(),
                worker: None,
            }),
        });
        self.core.cells.lock().insert(cell.id, Arc::clone(&cell));
        run.cells.lock().insert(cell.id);
        self.core.counters.cells_started.fetch_add(1, Ordering::Relaxed);
        if run.trace {
            let language = if language == Language::TypeScript { "typescript" } else { "javascript" };
            let fields = format!(r#","language":"{language}","restartSafe":{}"#, cell.restart_safe);
            self.core.trace(&cell, "cell_started", &fields);
        }
        let mut state = cell.state.lock();
        state.leg = Some(self.leg(&cell, leg, asked.tool_call_id));
        self.core.schedule_cold(&cell, &mut state);
        Ok(cell.id)
    }

    fn resume(&self, run: &Arc<Run>, leg: LegId, request: &str) -> Result<CellId, Failure> {
        let asked: WaitCall = serde_json::from_str(request)
            .map_err(|error| Failure::invalid(format!("wait input: {error}")))?;
        let id = run_id_of(&asked.input)?;
        self.check_open(run)?;
        let store = &self.core.store;
        let Some(cell) = store.get(&id) else { return Err(Failure::unavailable(store.was_expired(&id))) };
        let mut state = cell.state.lock();
        if state.run_id.as_deref() != Some(&id) || state.phase == Phase::Ended {
            return Err(Failure::unavailable(store.was_expired(&id)));
        }
        check_scope(&cell.run, run, asked.scope.as_ref().unwrap_or(&run.scope))?;
        let untouched = matches!(state.phase, Phase::Parked | Phase::Restoring) || state.reparking;
        if state.leg.is_some() || !untouched {
            return Err(Failure::invalid("code mode run is already being resumed."));
        }
        if let Some(key) = state.ttl.take() {
            self.core.timers.cancel(key);
        }
        state.leg = Some(self.leg(&cell, leg, asked.tool_call_id));
        for (request, reason) in std::mem::take(&mut state.bridge.yields) {
            let value = if reason == "null" {
                r#"{"status":"yielded"}"#.to_owned()
            } else {
                format!(r#"{{"status":"yielded","reason":{reason}}}"#)
            };
            state.bridge.inbox.push(Settled { id: request, outcome: Outcome::Value(value) });
        }
        // Otherwise a worker has it in hand and finds the leg.
        if state.phase == Phase::Parked && !state.bridge.inbox.is_empty() {
            self.core.schedule_cold(&cell, &mut state);
        }
        Ok(cell.id)
    }

    fn leg(&self, cell: &Arc<Cell>, id: LegId, tool_call_id: String) -> Leg {
        let started = Instant::now();
        let deadline = started + Duration::from_millis(cell.run.config.timeout_ms);
        let timer = self.core.timers.add(deadline, Alarm::Leg { cell: Arc::clone(cell), leg: id });
        Leg { id, deadline, parks_at: deadline, graced: false, started, timer, tool_call_id }
    }

    fn check_open(&self, run: &Run) -> Result<(), Failure> {
        if self.core.closed.load(Ordering::Acquire) {
            return Err(Failure::unavailable_engine("the engine is closed"));
        }
        if run.closed.load(Ordering::Acquire) {
            return Err(Failure::aborted());
        }
        Ok(())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.shut();
        let timer = self.timer_thread.lock().take();
        if timer.is_some() {
            // Nobody waits for the threads, but the clock goes on until guests that do not poll are stopped.
            let core = Arc::clone(&self.core);
            let _ = std::thread::Builder::new()
                .name("code-mode-close".into())
                .spawn(move || join_all(&core, timer));
        }
    }
}

fn join_all(core: &Arc<Core>, timer: Option<JoinHandle<()>>) {
    let workers = std::mem::take(&mut *core.workers.lock());
    for (worker, state) in workers {
        while !worker.is_finished() && !state.is_abandoned() {
            std::thread::sleep(Duration::from_millis(1));
        }
        if worker.is_finished() {
            let _ = worker.join();
        }
    }
    // Nobody is left to serve them.
    let left: Vec<_> = core.cells.lock().values().map(Arc::clone).collect();
    for cell in left {
        core.abort(&cell);
    }
    core.timers.close();
    if let Some(timer) = timer {
        let _ = timer.join();
    }
}

fn refuse(run: &Run, failure: &Failure) -> String {
    result::failed(failure, "[]", &run.telemetry_json(), run.restart_safe)
}
