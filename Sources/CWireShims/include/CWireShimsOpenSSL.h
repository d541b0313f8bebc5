#ifndef C_WIRE_SHIMS_OPENSSL_H
#define C_WIRE_SHIMS_OPENSSL_H

#include <openssl/bio.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

static inline long CWireShims_SSL_set_tlsext_host_name(SSL *ssl, const char *name) {
  return SSL_set_tlsext_host_name(ssl, name);
}

static inline long CWireShims_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version) {
  return SSL_CTX_set_min_proto_version(context, version);
}

static inline long CWireShims_SSL_CTX_set_mode(SSL_CTX *context, long mode) {
  return SSL_CTX_set_mode(context, mode);
}

// HTTP/2 allows neither renegotiation nor compression (RFC 9113 section 9.2).
static inline void CWireShims_SSL_CTX_set_http2_options(SSL_CTX *context) {
  (void)SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
}

// Sessions are not cached by OpenSSL; they are passed to the new-session callback.
static inline void CWireShims_SSL_CTX_keep_sessions_of_clients(SSL_CTX *context) {
  (void)SSL_CTX_set_session_cache_mode(
      context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
}

static inline long CWireShims_SSL_CTX_add1_chain_cert(SSL_CTX *context, X509 *certificate) {
  return SSL_CTX_add1_chain_cert(context, certificate);
}

static inline int CWireShims_X509_NAME_print(BIO *bio, const X509_NAME *name) {
  // RFC 2253, except that UTF-8 is not escaped.
  return X509_NAME_print_ex(bio, name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB);
}

static inline size_t CWireShims_BIO_pending(BIO *bio) {
  return (size_t)BIO_pending(bio);
}

static inline void CWireShims_BIO_set_mem_eof_return(BIO *bio, int value) {
  (void)BIO_set_mem_eof_return(bio, value);
}

#endif
