#ifndef C_WIRE_SHIMS_OPENSSL_H
#define C_WIRE_SHIMS_OPENSSL_H

#include <openssl/bio.h>
#include <openssl/ssl.h>

static inline long CWireShims_SSL_set_tlsext_host_name(SSL *ssl, const char *name) {
  return SSL_set_tlsext_host_name(ssl, name);
}

static inline long CWireShims_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version) {
  return SSL_CTX_set_min_proto_version(context, version);
}

static inline long CWireShims_SSL_CTX_set_mode(SSL_CTX *context, long mode) {
  return SSL_CTX_set_mode(context, mode);
}

static inline size_t CWireShims_BIO_pending(BIO *bio) {
  return (size_t)BIO_pending(bio);
}

#endif
