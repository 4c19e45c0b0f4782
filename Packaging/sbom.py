"""The list of what is inside a package, as an SPDX 2.3 document."""
import datetime, hashlib, json

import licenses
from stage import ROOT, run


def document(stage):
    """An SPDX document in JSON: the program, the code inside it, and the libraries that it is linked to or loads."""
    packages, relations = [], []

    def package(identifier, name, version, declared, purl=None, relation=None, comment=None):
        entry = {
            "SPDXID": f"SPDXRef-{identifier}", "name": name, "versionInfo": version,
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "copyrightText": "NOASSERTION",
            "licenseConcluded": "NOASSERTION", "licenseDeclared": declared or "NOASSERTION",
        }
        if purl:
            entry["externalRefs"] = [
                {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]
        packages.append(entry)
        if relation:
            relations.append({
                "spdxElementId": "SPDXRef-scaleaudio", "relationshipType": relation,
                "relatedSpdxElement": entry["SPDXID"], **({"comment": comment} if comment else {})})
        return entry

    program = package("scaleaudio", "scaleaudio", stage.version, licenses.OWN)
    program["licenseConcluded"] = licenses.WHOLE
    program["checksums"] = [
        {"algorithm": "SHA256", "checksumValue": hashlib.sha256(stage.binary.read_bytes()).hexdigest()}]
    program["comment"] = "The checksum is that of the program before symbols were removed."
    package("swift", "swift", licenses.swift_version(), "Apache-2.0 WITH Swift-exception", relation="STATIC_LINK",
            comment="standard library, Foundation and Dispatch")
    for name, version, _ in licenses.swift_packages():
        package(name, name, version, "Apache-2.0", f"pkg:swift/github.com/{owner(name)}/{name}@{version}", "STATIC_LINK")
    system = run("sh", "-c", ". /etc/os-release && echo $ID").strip()
    for library in stage.libraries:
        identifier = f"lib-{library.name}".replace("_", "-").replace("+", "-")
        package(identifier, library.name, library.version, licenses.of_library(library),
                f"pkg:deb/{system}/{library.package}@{library.version}".replace("+", "%2B"),
                "DYNAMIC_LINK" if library.linked else "DEPENDS_ON")
    digest = hashlib.sha256(json.dumps(packages, sort_keys=True).encode()).hexdigest()
    created = datetime.datetime.fromtimestamp(stage.epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return json.dumps({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"scaleaudio-{stage.version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/scaleaudio-{stage.version}-{digest[:32]}",
        "creationInfo": {"created": created, "creators": ["Tool: scaleaudio-scripts-package"]},
        "documentDescribes": ["SPDXRef-scaleaudio"],
        "packages": packages,
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-scaleaudio"},
            *relations],
    }, indent=1) + "\n"


def owner(name):
    """The owner of a Swift package's repository, as `Package.swift` names it; Apple for what it brings along."""
    for line in (ROOT / "Package.swift").read_text().splitlines():
        if f"/{name}\"" in line and "github.com/" in line:
            return line.split("github.com/")[1].split("/")[0]
    return "apple"
