/* A clock that advances by a microsecond a call, and random numbers from a seed.
 *
 * For programs whose work depends on what time it is or on random numbers (a hash seed).
 * COUNTCI_FIXED names what is fixed: "clock", "random" or "clock,random" (also when unset).
 * COUNTCI_SEED is a number, 1 when unset; it moves the date too, since programs seed with it.
 *
 * Not reached: reads of /dev/urandom, the processor's own counter and random numbers (rdtsc,
 * rdrand), system calls made without libc, static programs. Sleeping and polling take their
 * real time, and don't move this clock.
 *
 * Everything here may be called before main, from a signal handler and from any thread: no
 * allocation, no lock, no look-up of symbols. Build: cc -O2 -fPIC -shared.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define MILLION 1000000u
/* In the past, and soon after the boot: who waits for an absolute time then waits too short,
 * not for ever. */
#define DATE 1700000000u
#define UPTIME 1u

enum { CLOCK = 1, RANDOM = 2, KNOWN = 4 };

extern char **environ;
static unsigned fixed_; /* a set of the above; 0 before it is known */
static uint64_t seed_;
static uint64_t ticks;   /* microseconds */
static uint64_t numbers; /* drawn so far */

static const char *value_of(const char *name) {
    size_t length = strlen(name);
    for (char **at = environ; at && *at; at++)
        if (!strncmp(*at, name, length) && (*at)[length] == '=') return *at + length + 1;
    return NULL;
}

/* Return what is fixed. Two threads that read the environment at once find the same. */
static unsigned fixed(void) {
    unsigned found = __atomic_load_n(&fixed_, __ATOMIC_ACQUIRE);
    if (found || !environ) return found ? found : CLOCK | RANDOM | KNOWN;
    const char *names = value_of("COUNTCI_FIXED"), *number = value_of("COUNTCI_SEED");
    uint64_t seed = number && *number ? 0 : 1;
    for (; number && *number >= '0' && *number <= '9'; number++)
        seed = seed * 10 + (uint64_t)(*number - '0');
    found = KNOWN;
    if (!names || strstr(names, "clock")) found |= CLOCK;
    if (!names || strstr(names, "random")) found |= RANDOM;
    __atomic_store_n(&seed_, seed, __ATOMIC_RELAXED);
    __atomic_store_n(&fixed_, found, __ATOMIC_RELEASE);
    return found;
}

static uint64_t tick(void) { return __atomic_add_fetch(&ticks, 1, __ATOMIC_RELAXED); }

static uint64_t date(void) { return DATE + 1009 * (__atomic_load_n(&seed_, __ATOMIC_RELAXED) % 100000); }

/* Return the second at which `clock` starts; -1 for one that isn't fixed. */
static int64_t beginning(clockid_t clock) {
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI: return (int64_t)date();
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME: return UPTIME;
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID: return 0;
    default: return -1;
    }
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *now) {
    int64_t start = fixed() & CLOCK ? beginning(clock) : -1;
    if (start < 0) return (int)syscall(SYS_clock_gettime, clock, now);
    uint64_t passed = tick();
    now->tv_sec = (time_t)(start + (int64_t)(passed / MILLION));
    now->tv_nsec = (long)(passed % MILLION * 1000);
    return 0;
}

EXPORT int timespec_get(struct timespec *now, int base) {
    if (base != TIME_UTC || clock_gettime(CLOCK_REALTIME, now)) return 0;
    return base;
}

EXPORT int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec t;
    if (zone) memset(zone, 0, sizeof(struct timezone));
    if (clock_gettime(CLOCK_REALTIME, &t)) return -1;
    *now = (struct timeval){t.tv_sec, t.tv_nsec / 1000};
    return 0;
}

EXPORT time_t time(time_t *result) {
    struct timespec t;
    if (clock_gettime(CLOCK_REALTIME, &t)) return -1;
    if (result) *result = t.tv_sec;
    return t.tv_sec;
}

EXPORT clock_t clock(void) {
    struct timespec t;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t)) return -1;
    return t.tv_sec * CLOCKS_PER_SEC + t.tv_nsec / (1000000000 / CLOCKS_PER_SEC);
}

/* Source: SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators). */
static uint64_t number(void) {
    uint64_t drawn = __atomic_add_fetch(&numbers, 1, __ATOMIC_RELAXED);
    uint64_t x = (__atomic_load_n(&seed_, __ATOMIC_RELAXED) << 32) + drawn;
    x *= 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

EXPORT ssize_t getrandom(void *to, size_t n, unsigned flags) {
    if (!(fixed() & RANDOM)) return syscall(SYS_getrandom, to, n, flags);
    for (size_t done = 0; done < n; done += 8) {
        uint64_t x = number();
        memcpy((char *)to + done, &x, n - done < 8 ? n - done : 8);
    }
    return (ssize_t)n;
}

EXPORT int getentropy(void *to, size_t n) {
    if (n > 256) {
        errno = EIO;
        return -1;
    }
    return getrandom(to, n, 0) == (ssize_t)n ? 0 : -1;
}

EXPORT void arc4random_buf(void *to, size_t n) {
    for (size_t done = 0; done < n;) {
        ssize_t got = getrandom((char *)to + done, n - done, 0);
        if (got > 0) done += (size_t)got; /* else a signal came: once more */
    }
}

EXPORT uint32_t arc4random(void) {
    uint32_t x;
    arc4random_buf(&x, sizeof x);
    return x;
}

EXPORT uint32_t arc4random_uniform(uint32_t below) {
    /* The part of a 64-bit product above 32 bits: no loop, so that the cost is constant. */
    return (uint32_t)(((uint64_t)arc4random() * below) >> 32);
}
