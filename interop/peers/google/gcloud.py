"""A program `gcloud` for PATH, which prints a token or fails as the real one does.

In a test:  gcloud = cloud.gcloud(); gcloud.print(token); … cloud.get(…, PATH=gcloud.path)
"""

import os
import stat

ACTION = """\
Please run:

  $ gcloud auth login

to obtain new credentials.

If you have already logged in with a different account, run:

  $ gcloud config set account ACCOUNT

to select an already authenticated account to use."""
ERRORS = {
    "expired": "There was a problem refreshing your current auth tokens: ('invalid_grant: Token has been expired or"
               " revoked.', {'error': 'invalid_grant', 'error_description': 'Token has been expired or revoked.'})",
    "reauthentication": "There was a problem refreshing your current auth tokens: Reauthentication failed. cannot"
                        " prompt during non-interactive execution.",
    "no account": "You do not currently have an active account selected.",
}
SCRIPT = """\
#!/bin/sh
folder=$(dirname "$0")
printf '%s\\n' "$*" >> "$folder/runs"
case "$*" in
  "auth "*print-access-token*) ;;
  *) echo "ERROR: (gcloud) Invalid choice: '$1'." >&2; exit 2 ;;
esac
cat "$folder/stderr" >&2
cat "$folder/stdout"
exit $(cat "$folder/code")
"""


class Gcloud:
    def __init__(self, folder, path, configuration):
        """`path` is the value of PATH without this program. `configuration` is its configuration folder."""
        self.folder, self._configuration = folder, configuration
        self.path = f"{folder}{os.pathsep}{path}"
        """A value of PATH that begins with the program's folder."""
        folder.mkdir()
        self.program = folder / "gcloud"
        self.program.write_text(SCRIPT)
        self.program.chmod(stat.S_IRWXU)
        self.fail("no account")

    @property
    def runs(self):
        """The arguments of each run."""
        log = self.folder / "runs"
        return log.read_text().splitlines() if log.exists() else []

    def log_in(self, account="anna@example.com"):
        """Leaves the files in which the real program keeps the credentials of a login and its account."""
        configurations = self._configuration / "configurations"
        configurations.mkdir(parents=True, exist_ok=True)
        (configurations / "config_default").write_text(f"[core]\naccount = {account}\n\n")
        (self._configuration / "credentials.db").touch(mode=0o600)

    def print(self, token, stderr="", account="anna@example.com"):
        """Prints a token, as after a login."""
        self.log_in(account)
        self._set(f"{token}\n", stderr, 0)

    def fail(self, how):
        """Fails as the real program: `expired`, `reauthentication` or `no account`."""
        self._set("", f"ERROR: (gcloud.auth.print-access-token) {ERRORS[how]}\n{ACTION}\n", 1)

    def _set(self, stdout, stderr, code):
        for name, text in ("stdout", stdout), ("stderr", stderr), ("code", str(code)):
            (self.folder / name).write_text(text)
