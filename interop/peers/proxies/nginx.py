"""nginx, from Debian, with grpc_pass."""

import signal

from peers.proxies.middlebox import Middlebox, program


class Nginx(Middlebox):
    def command(self):
        tls = f"""
            ssl_certificate {self.certificate.chain};
            ssl_certificate_key {self.certificate.key};""" if self.certificate else ""
        path = self.write("nginx.conf", f"""
            daemon off;
            user root;
            worker_processes 1;
            pid {self.folder}/pid;
            error_log stderr notice;
            events {{}}
            http {{
              access_log /dev/stdout;
              client_body_temp_path {self.folder}/body;
              proxy_temp_path {self.folder}/proxy;
              fastcgi_temp_path {self.folder}/fastcgi;
              uwsgi_temp_path {self.folder}/uwsgi;
              scgi_temp_path {self.folder}/scgi;
              client_max_body_size 0;
              server {{
                listen 127.0.0.1:{self.port} http2 {"ssl" if tls else ""};{tls}
                http2_max_concurrent_streams {self.streams};
                keepalive_timeout {self.idle}s;
                location / {{ grpc_pass grpc://127.0.0.1:{self.backend}; }}
              }}
            }}""")
        return [program("nginx"), "-p", self.folder, "-e", "stderr", "-c", path]

    def reload(self):
        self.process.send_signal(signal.SIGHUP)
