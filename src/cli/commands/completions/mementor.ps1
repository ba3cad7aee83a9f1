# Completions of mementor for PowerShell: mementor completions powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName mementor -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_".Trim("'", '"') })
  # Older versions pass no empty word on; "=" begins one, too.
  if ($wordToComplete -eq '') { $typed += '=' }
  $program = (Get-Command mementor -CommandType Application | Select-Object -First 1).Source
  & $program complete @typed 2>$null | ForEach-Object {
    $word, $description = $_ -split "`t", 2
    if (-not $description) { $description = $word }
    # Without an answer, PowerShell offers files.
    if ($word -notlike ':*' -and $word -like "$wordToComplete*") {
      [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $description)
    }
  }
}
