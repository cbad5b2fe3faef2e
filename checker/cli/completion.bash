# SPDX-License-Identifier: GPL-2.0-or-later
# bash completion for iomc: commands, options, and the names that iomc itself lists.
_iomc() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} words=
  _iomc_names() { "${COMP_WORDS[0]}" list "$@" 2>/dev/null | sed -n 's/^\([^ ][^ ]*\).*/\1/p'; }
  if ((COMP_CWORD == 1)); then
    words="explore list explain ask check prove replay facts review cost --help --version"
  else
    case $before in
      --kernel) words=$(_iomc_names kernels ${COMP_WORDS[2]:+--spec "${COMP_WORDS[2]}"}) ;;
      --property) words=$(_iomc_names properties) ;;
      --config) words=$(_iomc_names configurations --spec "${COMP_WORDS[2]}") ;;
      --hypothesis) words="cpu-bound port-rate" ;;
      --profile) words=$(_iomc_names profiles) ;;
      --spec | check | cost | explore | prove) words=$(_iomc_names specs) ;;
      --format) words="text json ktap junit"; [[ $command == cost ]] && words="text json csv svg"
                [[ $command == prove ]] && words="text json" ;;
      --engine) words="explicit symbolic all" ;;
      --exit) words="bisect ksft" ;;
      --tree | -o | --output) ;;
      list) words="specs properties kernels steps facts configurations sizes profiles events" ;;
      explain) words=$(_iomc_names properties) ;;
      *) [[ $word == -* ]] && words=$("${COMP_WORDS[0]}" "$command" --help 2>/dev/null |
           grep -oE '^  (-o, )?--[a-z-]+' | grep -oE '\-\-[a-z-]+') ;;
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _iomc iomc
