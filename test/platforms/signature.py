# signature.py FILE...: checks the code signatures of Mach-O files: the hash of each page, the place of the signature. A signature
# without an identity is expected.
import sys

from apple_platform import reading

bad = 0
for name in sys.argv[1:]:
    said = [problem["description"] for problem in reading.verify_macho(name)]
    problems = [problem for problem in said if problem != "no cryptographic signature present"]
    print(name, problems, reading.code_directory_identifier(reading.read_signature(name)))
    bad += bool(problems)
sys.exit(bad)
