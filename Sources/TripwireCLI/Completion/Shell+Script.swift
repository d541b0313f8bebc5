extension Shell {
  /// The script that connects the shell's completion with `tripwire __complete`.
  var script: String {
    switch self {
    case .bash: bashScript
    case .zsh: zshScript
    case .fish: fishScript
    }
  }
}

private let bashScript = """
  # bash completion for tripwire, made by 'tripwire completion bash'

  _tripwire() {
    local IFS=$'\\n' word line
    # The word up to the cursor. bash splits words at = and :, which names and options contain.
    local before="${COMP_LINE:0:COMP_POINT}"
    local -a words
    IFS=$' \\t\\n' read -r -a words <<<"$before"
    [[ $before == *[[:space:]] ]] && words+=("")
    word="${words[${#words[@]} - 1]}"

    local -a answer
    mapfile -t answer < <("${words[0]}" __complete "${words[@]:1}" 2>/dev/null)

    # The part of the word that bash has split off already.
    local prefix="${word%"${COMP_WORDS[COMP_CWORD]}"}"
    [[ ${COMP_WORDS[COMP_CWORD]} == [=:] ]] && prefix="$word"
    local value="$word"
    [[ $word == --*=* ]] && value="${word#*=}"

    COMPREPLY=()
    case "${answer[0]}" in
      :files) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$value"); return ;;
      :directories) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$value"); return ;;
    esac
    [[ $word == --*=* ]] && prefix="${prefix#*=}"
    for line in "${answer[@]}"; do
      line="${line%%$'\\t'*}"
      # A part of a word: a folder of names, or the name of a field.
      [[ $line == *[/.=] ]] && compopt -o nospace
      COMPREPLY+=("${line#"$prefix"}")
    done
  }

  complete -F _tripwire tripwire

  """

private let zshScript = """
  #compdef tripwire
  # zsh completion for tripwire, made by 'tripwire completion zsh'

  _tripwire() {
    local -a answer candidates parts
    local line word
    answer=("${(@f)$("${words[1]}" __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    # The value of --option=value is completed alone.
    [[ $PREFIX == --*=* ]] && compset -P 1 '*='
    case "${answer[1]}" in
      :files) _files; return ;;
      :directories) _files -/; return ;;
    esac
    for line in "${answer[@]}"; do
      [[ -n $line ]] || continue
      word="${line%%$'\\t'*}"
      # A colon separates the description.
      word="${word//:/\\\\:}"
      [[ $line == *$'\\t'* ]] && word+=":${line#*$'\\t'}"
      # A part of a word: a folder of names, or the name of a field.
      if [[ ${line%%$'\\t'*} == *[/.=] ]]; then parts+=("$word"); else candidates+=("$word"); fi
    done
    (( ${#candidates} )) && _describe tripwire candidates
    (( ${#parts} )) && _describe tripwire parts -S ''
  }

  if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _tripwire "$@"
  else
    compdef _tripwire tripwire
  fi

  """

private let fishScript = """
  # fish completion for tripwire, made by 'tripwire completion fish'

  function __tripwire_complete
    set -l words (commandline --tokenize --cut-at-cursor --current-process)
    set -l current (commandline --cut-at-cursor --current-token)
    set -l answer ($words[1] __complete $words[2..-1] "$current" 2>/dev/null)
    set -l value $current
    set -l option ""
    if string match --quiet -- '--*=*' "$current"
      set option (string replace --regex -- '=.*' '=' "$current")
      set value (string replace --regex -- '^[^=]*=' '' "$current")
    end
    switch "$answer[1]"
      case :files
        for path in (__fish_complete_path "$value")
          echo "$option$path"
        end
      case :directories
        for path in (__fish_complete_directories "$value" "")
          echo "$option$path"
        end
      case '*'
        for line in $answer
          echo "$option$line"
        end
    end
  end

  complete --command tripwire --no-files --arguments '(__tripwire_complete)'

  """
