// performance.now and timeOrigin on the host's monotonic clock. They count from the first use, since a VM may have
// been built long before its cell starts.
(function (host, shared) {
  "use strict";
  const { expose, tag, dateNow } = shared.primordials;
  const { monotonicMs } = host;
  let origin;
  let timeOrigin;
  const now = () => {
    const time = monotonicMs();
    if (origin === undefined) {
      origin = time;
      timeOrigin = dateNow();
    }
    return time - origin;
  };
  class Performance {
    get timeOrigin() {
      now();
      return timeOrigin;
    }
    now() { return now(); }
    toJSON() { return { timeOrigin: this.timeOrigin }; }
  }
  tag(Performance, "Performance");
  expose("performance", new Performance());
})
