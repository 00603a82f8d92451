"""Does Kubernetes take these objects?"""

import json
import sys

import kubernetes_validate


def main() -> None:
    """Ask."""
    wrong = []
    for each in json.load(sys.stdin):
        try:
            kubernetes_validate.validate(each, kubernetes_validate.latest_version(), strict=True)
        except kubernetes_validate.ValidationError as error:
            wrong.append(f"{each['kind']} {each['metadata']['name']}: {error.message}")
    print(json.dumps(wrong))


if __name__ == "__main__":
    main()
