# Completions of mementor for fish: mementor completions fish | source
function __mementor_complete
  set -l words (commandline -opc) (commandline -ct)
  set -e words[1]
  set -l option (string match -r -- '^--[^=]*=' $words[-1])
  set -l path (string replace -- "$option" '' $words[-1])
  for line in (command mementor complete (string unescape -- $words) 2>/dev/null </dev/null)
    switch $line
      case ':files*'
        string replace -r -- '^' "$option" (__fish_complete_path $path)
      case ':directories*'
        string replace -r -- '^' "$option" (__fish_complete_directories $path)
      case '*'
        echo $line
    end
  end
end
complete -c mementor -k -f -a '(__mementor_complete)'
