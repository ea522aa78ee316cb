# SPDX-License-Identifier: Apache-2.0
# The policy lets in one style and one script, and their hashes match what is in the page.
command -v python3 >/dev/null || { echo "python3 is not installed" >&2; exit 77; }
"$ORCHIL" run --device simulated --no-controls --instances 1k ptx:MP+relaxed >stdout 2>stderr
"$ORCHIL" report --out page.html >stdout
python3 -c '
import base64, hashlib, re
page = open("page.html", encoding="utf-8", newline="").read()
policy = re.search("Content-Security-Policy\" content=\"([^\"]*)\"", page).group(1)
for name in "style", "script":
    text = re.search("<%s>(.*?)</%s>" % (name, name), page, re.DOTALL).group(1)
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    known = "sha256-" + digest in policy
    policy = policy.replace("sha256-" + digest, "HASH")
    print(name, known)
print(policy)
print(re.findall("(?:src|href|action)=\"?(?!#)[^ >]*", page))'
