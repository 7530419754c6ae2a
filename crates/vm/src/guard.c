/*
 * The door into guest code and the two ways out that are not a return: the hard stop (SIGURG from the
 * timer) and crash signals. Everything a signal handler reads is on the interrupted thread itself.
 *
 * Rules (see hard_stop.rs for the reasons):
 *   - a handler jumps only if this thread is inside cm_guard_run and not inside a host callback;
 *   - the hard stop also needs the stop flag of the turn that runs *now*, and a program counter inside
 *     this addon's own text: in libc a lock could be held;
 *   - whatever is not ours goes to the handler that was there before.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifdef __APPLE__
#define _DARWIN_C_SOURCE
#endif
#include <stdint.h>
#include <string.h>

#define CM_LOCAL __attribute__((visibility("hidden")))

/* Shared with Rust (guard.rs, struct Frame). Owned by the turn, outside the slot. */
struct cm_frame {
  volatile int32_t armed;            /* guest code may be left by a jump */
  volatile int32_t in_host;          /* inside a callback that touches state outside the slot */
  const volatile uint8_t *stop;      /* sticky stop flag of this turn; 0 = go on */
};

typedef void (*cm_body)(void *);

#ifdef _WIN32
/* No signals to install: crashes are not contained and there is no hard stop (see lib.rs). */
#undef CM_LOCAL
#define CM_LOCAL
CM_LOCAL int32_t cm_guard_install(void) { return 0; }
CM_LOCAL int32_t cm_guard_run(struct cm_frame *frame, cm_body body, void *arg) {
  frame->armed = 1;
  body(arg);
  frame->armed = 0;
  return 0;
}
CM_LOCAL void cm_build_clock(int64_t microseconds) { (void)microseconds; }
CM_LOCAL int32_t cm_guard_text(uintptr_t *lo, uintptr_t *hi) { *lo = *hi = 0; return -1; }
#else

#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#ifdef __APPLE__
#include <dlfcn.h>
#include <mach-o/getsect.h>
#include <mach-o/loader.h>
#else
#include <link.h>
#endif

struct guard {
  sigjmp_buf out;
  struct cm_frame *frame;
};

/* Initial-exec with glibc, so that a handler on a thread that never ran guest code allocates nothing.
   musl refuses initial-exec in a loaded library and needs none: its TLS is allocated with the thread. */
#if defined(__GLIBC__)
#define CM_TLS __thread __attribute__((tls_model("initial-exec")))
#else
#define CM_TLS __thread
#endif
static CM_TLS struct guard *current;
static CM_TLS int64_t build_clock;

static uintptr_t text_lo, text_hi;

enum { STOP_SIGNAL = SIGURG, JUMP_STOPPED = 1 };
static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGTRAP};
enum { CRASH_SIGNALS = sizeof crash_signals / sizeof crash_signals[0] };
static struct sigaction previous_crash[CRASH_SIGNALS], previous_stop;

static uintptr_t program_counter(const void *context) {
  const ucontext_t *uc = context;
#if defined(__APPLE__) && defined(__aarch64__)
  return (uintptr_t)uc->uc_mcontext->__ss.__pc;
#elif defined(__APPLE__)
  return (uintptr_t)uc->uc_mcontext->__ss.__rip;
#elif defined(__aarch64__)
  return (uintptr_t)uc->uc_mcontext.pc;
#elif defined(__x86_64__)
  return (uintptr_t)uc->uc_mcontext.gregs[REG_RIP];
#else
  (void)uc;
  return 0; /* unknown machine: never inside the text, so never a hard stop */
#endif
}

static int in_guest(const struct guard *g) { return g && g->frame->armed && !g->frame->in_host; }

static void leave(struct guard *g, int why) {
  g->frame->armed = 0;
  siglongjmp(g->out, why);
}

static void on_stop(int sig, siginfo_t *info, void *context) {
  struct guard *g = current;
  if (in_guest(g) && *g->frame->stop) {
    uintptr_t pc = program_counter(context);
    if (pc >= text_lo && pc < text_hi) leave(g, JUMP_STOPPED);
    return; /* the timer tries again */
  }
  if (g) return;
  if (previous_stop.sa_flags & SA_SIGINFO) {
    if (previous_stop.sa_sigaction) previous_stop.sa_sigaction(sig, info, context);
  } else if (previous_stop.sa_handler != SIG_DFL && previous_stop.sa_handler != SIG_IGN) {
    previous_stop.sa_handler(sig);
  }
}

/* A signal that some process sent is about the process, not about the guest. abort() sends to itself. */
static int raised_here(int sig, const siginfo_t *info) {
  if (info->si_code == SI_USER) return sig == SIGABRT && info->si_pid == getpid();
#ifdef SI_TKILL
  if (info->si_code == SI_TKILL) return info->si_pid == getpid();
#endif
  return 1;
}

static void on_crash(int sig, siginfo_t *info, void *context) {
  struct guard *g = current;
  if (in_guest(g) && raised_here(sig, info)) leave(g, 0x100 + sig);

  const struct sigaction *previous = 0;
  for (int i = 0; i < CRASH_SIGNALS; i++)
    if (crash_signals[i] == sig) previous = &previous_crash[i];
  if (!previous) return;
  if (previous->sa_flags & SA_SIGINFO) {
    previous->sa_sigaction(sig, info, context);
  } else if (previous->sa_handler == SIG_IGN) {
    return;
  } else if (previous->sa_handler != SIG_DFL) {
    previous->sa_handler(sig);
  } else {
    /* Back to the default: a fault happens again on return, anything else is raised again. */
    struct sigaction fallback;
    memset(&fallback, 0, sizeof fallback);
    fallback.sa_handler = SIG_DFL;
    sigaction(sig, &fallback, 0);
    if (info->si_code <= 0 || sig == SIGABRT) raise(sig);
  }
}

CM_LOCAL int32_t cm_guard_text(uintptr_t *lo, uintptr_t *hi);

/* Once per process. */
CM_LOCAL int32_t cm_guard_install(void) {
  if (cm_guard_text(&text_lo, &text_hi) != 0) return -1;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  action.sa_sigaction = on_crash;
  for (int i = 0; i < CRASH_SIGNALS; i++)
    if (sigaction(crash_signals[i], &action, &previous_crash[i]) != 0) return -1;
  action.sa_flags |= SA_RESTART;
  action.sa_sigaction = on_stop;
  return sigaction(STOP_SIGNAL, &action, &previous_stop);
}

/* Runs body(arg). 0: it returned. 1: hard stop. 0x100 + n: signal n. Frames between here and the point of
   the jump are dropped without unwinding: they must own nothing. */
CM_LOCAL int32_t cm_guard_run(struct cm_frame *frame, cm_body body, void *arg) {
  struct guard g;
  struct guard *volatile outer = current;
  memset(&g, 0, sizeof g);
  g.frame = frame;
  int why = sigsetjmp(g.out, 1);
  if (why == 0) {
    current = &g;
    frame->armed = 1;
    body(arg);
    frame->armed = 0;
  }
  current = outer;
  return why;
}

#ifdef __APPLE__
CM_LOCAL int32_t cm_guard_text(uintptr_t *lo, uintptr_t *hi) {
  Dl_info info;
  if (!dladdr((const void *)&cm_guard_run, &info)) return -1;
  unsigned long size = 0;
  uint8_t *text = getsegmentdata((const struct mach_header_64 *)info.dli_fbase, "__TEXT", &size);
  if (!text) return -1;
  *lo = (uintptr_t)text;
  *hi = *lo + size;
  return 0;
}
#else
struct text_query {
  uintptr_t inside, lo, hi;
};

static int find_text(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  struct text_query *q = data;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *h = &info->dlpi_phdr[i];
    if (h->p_type != PT_LOAD || !(h->p_flags & PF_X)) continue;
    uintptr_t lo = info->dlpi_addr + h->p_vaddr, hi = lo + h->p_memsz;
    if (q->inside >= lo && q->inside < hi) {
      q->lo = lo;
      q->hi = hi;
      return 1;
    }
  }
  return 0;
}

CM_LOCAL int32_t cm_guard_text(uintptr_t *lo, uintptr_t *hi) {
  struct text_query q = {(uintptr_t)&cm_guard_run, 0, 0};
  if (dl_iterate_phdr(find_text, &q) != 1) return -1;
  *lo = q.lo;
  *hi = q.hi;
  return 0;
}
#endif

/* --- What QuickJS asks libc about the time. The linker binds its references to these. --- */

/* Guest local time is UTC, whatever TZ says; and libc's time zone lock is never taken. */
CM_LOCAL struct tm *localtime_r(const time_t *time, struct tm *out) {
  int64_t seconds = (int64_t)*time;
  int64_t days = seconds / 86400, rest = seconds % 86400;
  if (rest < 0) {
    rest += 86400;
    days--;
  }
  memset(out, 0, sizeof *out);
  out->tm_hour = (int)(rest / 3600);
  out->tm_min = (int)(rest % 3600 / 60);
  out->tm_sec = (int)(rest % 60);
  out->tm_wday = (int)((days % 7 + 11) % 7);
  /* Days to civil date, in 400-year eras that start on 1 March. */
  int64_t shifted = days + 719468;
  int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  int64_t doe = shifted - era * 146097;
  int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
  int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
  int64_t mp = (5 * doy + 2) / 153;
  int64_t year = yoe + era * 400 + (mp >= 10);
  int leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  out->tm_mday = (int)(doy - (153 * mp + 2) / 5 + 1);
  out->tm_mon = (int)(mp < 10 ? mp + 2 : mp - 10);
  out->tm_year = (int)(year - 1900);
  out->tm_yday = (int)(mp < 10 ? doy + 59 + leap : doy - 306);
  out->tm_gmtoff = 0;
  return out;
}

/* Non-zero: gettimeofday of this thread answers with this instant, so that every build of a template
   draws the same hash seed. */
CM_LOCAL void cm_build_clock(int64_t microseconds) { build_clock = microseconds; }

CM_LOCAL int gettimeofday(struct timeval *restrict out,
#if defined(__GLIBC__) || defined(__APPLE__) || defined(__linux__)
                          void *restrict zone
#else
                          struct timezone *restrict zone
#endif
) {
  (void)zone;
  if (build_clock) {
    out->tv_sec = (time_t)(build_clock / 1000000);
    out->tv_usec = (suseconds_t)(build_clock % 1000000);
    return 0;
  }
  struct timespec now;
  int failed = clock_gettime(CLOCK_REALTIME, &now);
  out->tv_sec = now.tv_sec;
  out->tv_usec = (suseconds_t)(now.tv_nsec / 1000);
  return failed;
}
#endif
