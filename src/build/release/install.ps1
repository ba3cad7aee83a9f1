# Installs mementor for the user who runs this, or upgrades it. Run it again to upgrade.
#
#   install.ps1 [-To DIRECTORY]
#
# Beside the files of a release it installs from them. Otherwise it downloads; MEMENTOR_BASE_URL names another place with
# the files of a release: an https address, one of this machine itself, or a directory.
param([string]$To = (Join-Path $HOME '.local\bin'))

$ErrorActionPreference = 'Stop'
Set-StrictMode -Version Latest
$ProgressPreference = 'SilentlyContinue'

function Stop-Install([string]$Message) { throw "install.ps1: $Message" }

function Get-Base {
  $hasFiles = $PSScriptRoot -and (Test-Path (Join-Path $PSScriptRoot 'SHA256SUMS'))
  $base = if ($env:MEMENTOR_BASE_URL) { $env:MEMENTOR_BASE_URL } elseif ($hasFiles) { $PSScriptRoot } else { '@DOWNLOADS@' }
  if ($base -and (Test-Path -PathType Container $base)) { return $base.TrimEnd('\', '/') }
  if (-not $base) { Stop-Install 'there is no address to download from; set MEMENTOR_BASE_URL to a directory with a release' }
  if ($base -notmatch '^(https://|http://(127\.0\.0\.1|localhost|\[::1\])[:/])') { Stop-Install "$base is not an https address" }
  return $base.TrimEnd('/')
}

function Save-File([string]$Address, [string]$File) {
  if ($Address -notmatch '^https?://') { Copy-Item $Address $File; return }
  [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
  try { Invoke-WebRequest -UseBasicParsing -Uri $Address -OutFile $File }
  catch { Stop-Install "cannot download ${Address}: $_" }
}

function Install-Mementor {
  if (-not [Environment]::Is64BitOperatingSystem) { Stop-Install 'mementor is not built for 32-bit Windows' }
  $base = Get-Base
  $archive = 'mementor-windows-x64.zip'
  $target = [IO.Path]::GetFullPath($To)
  $program = Join-Path $target 'mementor.exe'
  $work = Join-Path ([IO.Path]::GetTempPath()) ("mementor-" + [Guid]::NewGuid())
  $draft = "$program.$PID.new"
  New-Item -ItemType Directory -Path $work | Out-Null
  try {
    Write-Host "Downloading $archive from $base"
    $sums = Join-Path $work 'SHA256SUMS'
    $file = Join-Path $work $archive
    Save-File "$base/SHA256SUMS" $sums
    $line = Get-Content $sums | Where-Object { ($_ -split '\s+\*?', 2)[1] -eq $archive } | Select-Object -First 1
    if (-not $line) { Stop-Install "this release has no $archive" }
    $expected = ($line -split '\s+')[0]
    Save-File "$base/$archive" $file
    $actual = (Get-FileHash -Algorithm SHA256 $file).Hash.ToLowerInvariant()
    if ($actual -ne $expected) { Stop-Install "the checksum of $archive is wrong: expected $expected, got $actual. Nothing was installed." }

    Expand-Archive -Path $file -DestinationPath $work
    New-Item -ItemType Directory -Force -Path $target | Out-Null
    Copy-Item (Join-Path $work 'mementor-windows-x64\mementor.exe') $draft
    # A program that runs cannot be replaced, but it can be renamed.
    if (Test-Path $program) {
      Remove-Item "$program.old" -Force -ErrorAction SilentlyContinue
      Move-Item -Force $program "$program.old"
    }
    Move-Item -Force $draft $program
    Remove-Item "$program.old" -Force -ErrorAction SilentlyContinue

    $share = Join-Path $HOME '.local\share\mementor'
    New-Item -ItemType Directory -Force -Path $share | Out-Null
    $completions = Join-Path $share 'mementor.ps1'
    Copy-Item -Force (Join-Path $work 'mementor-windows-x64\completions\mementor.ps1') $completions
    [IO.File]::WriteAllText((Join-Path $share 'installed'), "program=$program`nfrom=$base`nfile=$completions`n")
    Write-Host "Installed $(& $program --version) as $program"
    & $program prepare
    if ($LASTEXITCODE -ne 0) { Write-Host 'The libraries could not be unpacked yet; "mementor doctor" tells why.' }
    if (($env:PATH -split ';') -notcontains $target) {
      Write-Host "Add it to your PATH:  [Environment]::SetEnvironmentVariable('PATH', `"$target;`" + [Environment]::GetEnvironmentVariable('PATH', 'User'), 'User')"
    }
    Write-Host "For completions add to your `$PROFILE:  . '$completions'"
    Write-Host 'Next: "mementor enable" in a project.'
  }
  finally {
    Remove-Item -Recurse -Force $work, $draft -ErrorAction SilentlyContinue
  }
}

Install-Mementor
