/* Services that device code asks the host for: printf and assert text, malloc, free. Protocol of the messages: ROCm's
 * hostcall, as its device library sends them (descriptor: bit 0 begin, bit 1 end, bits 7:5 words that follow). */
#include "run.h"
#include <stdio.h>
#include <stdlib.h>

enum { SERVICE_PRINTF = 2, SERVICE_MALLOC = 0x100, SERVICE_FREE = 0x101 };

struct message {
  u64 id, *words, count, room;
  int stream;
  struct message *next;
};

/* --- the heap of device-side malloc, one a module: it outlives launches --- */
static struct range *heap;
static u32 heap_count, heap_room;
static pthread_rwlock_t heap_lock = PTHREAD_RWLOCK_INITIALIZER;

const struct range *heap_range(u64 low, u64 high) {
  const struct range *found = NULL;
  if (!heap_count) return NULL;
  pthread_rwlock_rdlock(&heap_lock);
  static __thread struct range copy;
  for (u32 i = 0; i < heap_count; i++) if (low >= heap[i].base && high <= heap[i].end) { copy = heap[i]; found = &copy; break; }
  pthread_rwlock_unlock(&heap_lock);
  return found;
}

void *device_heap_allocate(struct run *run, u64 size) {
  const struct hipport_launch *l = run->launch;
  if (l->device_malloc) return l->device_malloc(l->context, size);
  void *p = size < 1ull << 32 ? malloc(size ? size : 1) : NULL;
  if (!p) return NULL;
  pthread_rwlock_wrlock(&heap_lock);
  if (heap_count == heap_room) {
    u32 room = heap_room ? 2 * heap_room : 64;
    struct range *grown = realloc(heap, room * sizeof *heap);
    if (!grown) { pthread_rwlock_unlock(&heap_lock); free(p); return NULL; }
    heap = grown;
    heap_room = room;
  }
  heap[heap_count++] = (struct range){(u64)p, (u64)p + size, "device malloc", NULL, 1};
  pthread_rwlock_unlock(&heap_lock);
  return p;
}

int device_heap_free(struct run *run, void *pointer) {
  const struct hipport_launch *l = run->launch;
  if (l->device_free) { l->device_free(l->context, pointer); return 1; }
  pthread_rwlock_wrlock(&heap_lock);
  u32 i = 0;
  while (i < heap_count && heap[i].base != (u64)pointer) i++;
  int known = i < heap_count;
  if (known) { heap[i] = heap[--heap_count]; free(pointer); }
  pthread_rwlock_unlock(&heap_lock);
  return known;
}

/* --- text --- */
static void emit(const struct run *run, int stream, const char *text, u64 length) {
  const struct hipport_launch *l = run->launch;
  if (l->print) { l->print(l->context, stream, text, length); return; }
  fwrite(text, 1, length, stream == HIPPORT_STDERR ? stderr : stdout);
  fflush(stream == HIPPORT_STDERR ? stderr : stdout);
}

struct text {
  char *bytes;
  size_t length, room;
};
static void append(struct text *t, const char *from, size_t n) {
  if (t->length + n + 1 > t->room) {
    size_t room = 2 * (t->length + n + 64);
    char *grown = realloc(t->bytes, room);
    if (!grown) return;
    t->bytes = grown;
    t->room = room;
  }
  memcpy(t->bytes + t->length, from, n);
  t->length += n;
  t->bytes[t->length] = 0;
}

/* One conversion `spec` (from % to its letter) with its value; strings lie in the message itself. */
static void format_one(struct text *out, const char *spec, size_t n, const u64 *words, u64 count, u64 *at) {
  char format[64], buffer[512];
  char letter = spec[n - 1];
  size_t k = 0;
  int longs = 0, written;
  for (size_t i = 0; i < n - 1 && k < sizeof format - 8; i++) {
    if (strchr("hlLqjzt", spec[i])) { longs += spec[i] != 'h'; continue; }
    if (spec[i] == '*') {
      k += (size_t)snprintf(format + k, sizeof format - 8 - k, "%d", (int)(*at < count ? words[(*at)++] : 0));
      continue;
    }
    format[k++] = spec[i];
  }
  if (letter == '%') { append(out, "%", 1); return; }
  if (*at >= count) return;
  if (letter == 's') {
    const char *s = (const char *)(words + *at);
    size_t most = (size_t)(count - *at) * 8, length = strnlen(s, most);
    *at += (length + 8) / 8;
    format[k++] = 's';
    format[k] = 0;
    size_t room = length + 256;
    char *copy = malloc(length + 1), *big = malloc(room);
    if (copy && big) {
      memcpy(copy, s, length);
      copy[length] = 0;
      written = snprintf(big, room, format, copy);
      append(out, big, written < 0 ? 0 : (size_t)written < room ? (size_t)written : room - 1);
    }
    free(copy);
    free(big);
    return;
  }
  u64 value = words[(*at)++];
  f64 real;
  memcpy(&real, &value, 8);
  if (strchr("aAeEfFgG", letter)) { format[k++] = letter; format[k] = 0; written = snprintf(buffer, sizeof buffer, format, real); }
  else if (letter == 'p') written = snprintf(buffer, sizeof buffer, "0x%llx", (unsigned long long)value);
  else if (letter == 'c') { format[k++] = 'c'; format[k] = 0; written = snprintf(buffer, sizeof buffer, format, (int)value); }
  else {
    memcpy(format + k, "ll", 2);
    format[k + 2] = letter;
    format[k + 3] = 0;
    int is_signed = letter == 'd' || letter == 'i';
    written = snprintf(buffer, sizeof buffer, format, longs ? (long long)value : is_signed ? (long long)(i32)value : (long long)(u32)value);
  }
  append(out, buffer, written < 0 ? 0 : (size_t)written < sizeof buffer ? (size_t)written : sizeof buffer - 1);
}

static void format_message(const struct message *m, struct text *out) {
  const char *f = (const char *)m->words;
  size_t most = m->count * 8, length = strnlen(f, most);
  u64 at = (length + 8) / 8;
  for (size_t i = 0; i < length; ) {
    if (f[i] != '%') {
      size_t n = strcspn(f + i, "%");
      append(out, f + i, n < length - i ? n : length - i);
      i += n;
      continue;
    }
    size_t n = 1 + strspn(f + i + 1, "-+ #0123456789.*hlLqjzt");
    if (i + n >= length) break;
    format_one(out, f + i, n + 1, m->words, m->count, &at);
    i += n + 1;
  }
}

static void finish(struct run *run, struct message *m) {
  struct text out = {0};
  format_message(m, &out);
  if (out.bytes) emit(run, m->stream, out.bytes, out.length);
  if (out.bytes && m->stream == HIPPORT_STDERR && (strstr(out.bytes, "Assertion") || strstr(out.bytes, "assertion")) && !run->fault->message[0]) {
    size_t n = strcspn(out.bytes, "\n");
    snprintf(run->fault->message, sizeof run->fault->message, "%.*s", (int)(n < 400 ? n : 400), out.bytes);
  }
  free(out.bytes);
}

static struct message **find_message(struct run *run, u64 id) {
  struct message **m = &run->messages;
  while (*m && (*m)->id != id) m = &(*m)->next;
  return m;
}

static u64 printf_service(struct run *run, const u64 *a) {
  u64 descriptor = a[0], words = descriptor >> 5 & 7, id = descriptor >> 32;
  struct message **at, *m;
  if (descriptor & 1) {
    m = calloc(1, sizeof *m);
    if (!m) return 0;
    m->id = ++run->next_message;
    m->stream = a[1] == 1 ? HIPPORT_STDERR : HIPPORT_STDOUT;
    m->next = run->messages;
    run->messages = m;
    return m->id << 32;
  }
  at = find_message(run, id);
  if (!(m = *at)) return descriptor;
  if (m->count + words > m->room) {
    u64 room = 2 * (m->room + 16), *grown = realloc(m->words, room * 8);
    if (!grown) return descriptor;
    m->words = grown;
    m->room = room;
  }
  memcpy(m->words + m->count, a + 1, words * 8);
  m->count += words;
  if (descriptor & 2) {
    *at = m->next;
    finish(run, m);
    free(m->words);
    free(m);
  }
  return id << 32;
}

void finish_messages(struct run *run) {
  while (run->messages) {
    struct message *m = run->messages;
    run->messages = m->next;
    free(m->words);
    free(m);
  }
}

static u64 serve(struct wave *w, int lane, u32 service, const u64 *a) {
  struct run *run = w->run;
  u64 result = 0;
  if (service == SERVICE_PRINTF) {
    pthread_mutex_lock(&run->lock);
    result = printf_service(run, a);
    pthread_mutex_unlock(&run->lock);
  } else if (service == SERVICE_MALLOC) result = (u64)device_heap_allocate(run, a[0]);
  else if (service == SERVICE_FREE) {
    if (a[0] && !device_heap_free(run, (void *)a[0]))
      fault(w, HIPPORT_GLOBAL_BOUNDS, lane, a[0], 0, "free of 0x%llx, which device malloc did not give", (unsigned long long)a[0]);
  } else fault(w, HIPPORT_UNKNOWN_SERVICE, lane, 0, 0, "host service %u is not provided", service);
  return result;
}

/* The pseudo-instruction of hipport_device.h: rows of result (4), service (1) and eight 64-bit arguments (2 each). */
void host_call(struct wave *w, u32 *result, const u32 *service, const u32 *const *arguments) {
  u64 exec = exec_of(w);
  EACH_LANE(exec, l) {
    u64 a[8];
    for (int i = 0; i < 8; i++) a[i] = (u64)arguments[i][LANES + l] << 32 | arguments[i][l];
    u64 r = serve(w, l, service[l], a);
    result[l] = (u32)r;
    result[LANES + l] = (u32)(r >> 32);
    result[2 * LANES + l] = result[3 * LANES + l] = 0;
  }
  if (w->tainted) taint_clear(w, result, 4, exec);
}
