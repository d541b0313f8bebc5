// Before libevent defines _GNU_SOURCE, so that fd_set is the same type in all modules.
#include <sys/types.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
