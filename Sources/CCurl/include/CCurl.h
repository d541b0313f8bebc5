#ifndef C_CURL_H
#define C_CURL_H

#include <curl/curl.h>
#include <stdbool.h>

/// Loads libcurl, once. Returns false if it is not installed. The functions below need it.
bool CCurl_load(void);

CURL *CCurl_easy_init(void);
void CCurl_easy_cleanup(CURL *handle);
CURLcode CCurl_easy_perform(CURL *handle);
const char *CCurl_easy_strerror(CURLcode code);
struct curl_slist *CCurl_slist_append(struct curl_slist *list, const char *text);
void CCurl_slist_free_all(struct curl_slist *list);

// Swift cannot call curl_easy_setopt and curl_easy_getinfo, because they take any number of arguments.

CURLcode CCurl_set_number(CURL *handle, CURLoption option, long value);
/// Sets an option that is a text, a list or a block of bytes.
CURLcode CCurl_set_pointer(CURL *handle, CURLoption option, const void *value);

/// Receives `size * count` bytes. Returns how many it took; any other number ends the transfer.
typedef size_t (*CCurl_receiver)(char *bytes, size_t size, size_t count, void *context);

/// Returns 0 to go on; any other number ends the transfer.
typedef int (*CCurl_poll)(void *context, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

/// Passes the lines of the headers to one function, the bytes of the response to another, and calls a third one at least
/// once a second. Started programs do not inherit the sockets.
CURLcode CCurl_set_callbacks(
    CURL *handle, CCurl_receiver header, CCurl_receiver body, CCurl_poll poll, void *context);

/// Returns a number about the transfer; 0 if there is none.
long CCurl_number(CURL *handle, CURLINFO info);

#endif
