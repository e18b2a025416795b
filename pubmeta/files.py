"""How files that never change are served: under names that tell their content, compressed."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class Storage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # It has no types.
    """Puts those names into the imports of scripts, too, so that every one of them can be kept by browsers for ever."""

    support_js_module_import_aggregation = True
