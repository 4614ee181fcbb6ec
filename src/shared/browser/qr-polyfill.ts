import { BarcodeDetector, prepareZXingModule } from "barcode-detector/ponyfill";
import readerUrl from "zxing-wasm/reader/zxing_reader.wasm?url";

// From our own origin: by itself it would ask a public CDN.
prepareZXingModule({ overrides: { locateFile: () => readerUrl } });

export const QrPolyfill = BarcodeDetector;
