# Prints the steps that are left after `make install`: sh after_install.sh PREFIX
# It writes to stdout, and nothing if the command and the completions of the user's shell work already.
prefix=$1

case ":$PATH:" in
*":$prefix/bin:"*) ;;
*) echo "$prefix/bin is not on PATH. Add this line to the profile of your shell:
  export PATH=\"$prefix/bin:\$PATH\"" ;;
esac

case "${SHELL##*/}" in
zsh)
  # zsh itself searches these two.
  case "$prefix" in
  /usr | /usr/local) ;;
  *) echo "For completions in zsh, add this line to ~/.zshrc, before compinit:
  fpath=(\"$prefix/share/zsh/site-functions\" \$fpath)" ;;
  esac ;;
bash)
  for folder in /usr /usr/local "$prefix" /opt/homebrew; do
    [ ! -e "$folder/share/bash-completion/bash_completion" ] || exit 0
  done
  echo "For completions in bash, install the package bash-completion." ;;
esac
