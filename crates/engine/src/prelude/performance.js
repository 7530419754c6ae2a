// performance.now and timeOrigin on the host's monotonic clock. The origin is set when the cell starts, so that
// a VM built long ago does not show its age.
(function (host, shared) {
  "use strict";
  const { expose, tag, dateNow } = shared.primordials;
  const { monotonicMs } = host;
  let origin = monotonicMs();
  let timeOrigin = dateNow();
  // Called by the engine when a cell starts.
  shared.startClock = () => {
    origin = monotonicMs();
    timeOrigin = dateNow();
  };
  class Performance {
    get timeOrigin() { return timeOrigin; }
    now() { return monotonicMs() - origin; }
    toJSON() { return { timeOrigin }; }
  }
  tag(Performance, "Performance");
  expose("performance", new Performance());
})
