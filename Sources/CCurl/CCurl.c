#include "CCurl.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>

// libcurl and its dependencies are 26 shared libraries. They are loaded at the first request, not at each start.
#define FUNCTIONS(use) \
    use(curl_global_init) use(curl_easy_init) use(curl_easy_cleanup) use(curl_easy_perform) \
    use(curl_easy_setopt) use(curl_easy_getinfo) use(curl_easy_strerror) \
    use(curl_slist_append) use(curl_slist_free_all)

// The macros of curl.h check the types of the arguments.
#undef curl_easy_setopt
#undef curl_easy_getinfo

static struct {
#define DECLARE(name) __typeof__(&name) name;
    FUNCTIONS(DECLARE)
} curl;

static bool is_loaded;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
#ifdef __APPLE__
    static const char *const names[] = {"libcurl.4.dylib"};
#else
    // The second is the same library with GnuTLS in place of OpenSSL.
    static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
#endif
    void *library = NULL;
    for (size_t index = 0; !library && index < sizeof names / sizeof *names; index++) {
        library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    }
    if (!library) return;
#define FIND(name) \
    if (!(curl.name = (__typeof__(&name))dlsym(library, #name))) return;
    FUNCTIONS(FIND)
    is_loaded = curl.curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

bool CCurl_load(void) {
    pthread_once(&once, load);
    return is_loaded;
}

CURL *CCurl_easy_init(void) { return curl.curl_easy_init(); }

void CCurl_easy_cleanup(CURL *handle) { curl.curl_easy_cleanup(handle); }

CURLcode CCurl_easy_perform(CURL *handle) { return curl.curl_easy_perform(handle); }

const char *CCurl_easy_strerror(CURLcode code) { return curl.curl_easy_strerror(code); }

struct curl_slist *CCurl_slist_append(struct curl_slist *list, const char *text) {
    return curl.curl_slist_append(list, text);
}

void CCurl_slist_free_all(struct curl_slist *list) { curl.curl_slist_free_all(list); }

CURLcode CCurl_set_number(CURL *handle, CURLoption option, long value) {
    return curl.curl_easy_setopt(handle, option, value);
}

CURLcode CCurl_set_pointer(CURL *handle, CURLoption option, const void *value) {
    return curl.curl_easy_setopt(handle, option, value);
}

// libcurl leaves its sockets open in the programs that this process starts.
static int close_on_exec(void *context, curl_socket_t socket, curlsocktype purpose) {
    (void)context, (void)purpose;
    return fcntl(socket, F_SETFD, FD_CLOEXEC) ? CURL_SOCKOPT_ERROR : CURL_SOCKOPT_OK;
}

CURLcode CCurl_set_callbacks(
    CURL *handle, CCurl_receiver header, CCurl_receiver body, CCurl_poll poll, void *context) {
    CURLcode code = curl.curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, header);
    if (!code) code = curl.curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
    if (!code) code = curl.curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, body);
    if (!code) code = curl.curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
    if (!code) code = curl.curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, poll);
    if (!code) code = curl.curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context);
    if (!code) code = curl.curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    return code ? code : curl.curl_easy_setopt(handle, CURLOPT_SOCKOPTFUNCTION, close_on_exec);
}

long CCurl_number(CURL *handle, CURLINFO info) {
    long number = 0;
    curl.curl_easy_getinfo(handle, info, &number);
    return number;
}
