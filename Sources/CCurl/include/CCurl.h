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
CURLcode CCurl_set_text(CURL *handle, CURLoption option, const char *value);
CURLcode CCurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value);

/// Receives `size * count` bytes. Returns how many it took; any other number ends the transfer.
typedef size_t (*CCurl_receiver)(char *bytes, size_t size, size_t count, void *context);

/// Passes the lines of the headers to one function, and the bytes of the response to another.
CURLcode CCurl_set_receivers(
    CURL *handle, CCurl_receiver header, CCurl_receiver body, void *context);

/// Returns 0 to go on; any other number ends the transfer.
typedef int (*CCurl_poll)(void *context, curl_off_t, curl_off_t, curl_off_t, curl_off_t);

/// Calls a function at least once a second.
CURLcode CCurl_set_poll(CURL *handle, CCurl_poll poll, void *context);

/// The status of the response; 0 if there is none.
long CCurl_status(CURL *handle);

#endif
