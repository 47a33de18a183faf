export type { Backend, BackendCapabilities, DeviceMemory, DeviceType, Exclusion, Feature, Kernel } from './backend.js';
export { environment, type Environment } from './environment.js';
export { js, type JsOptions } from './js.js';
export { supportTable, type SupportCell } from './support-table.js';
export { supports, type Support, type Unsupported } from './supports.js';
export { summarize } from './summarize.js';
export { wasm, type WasmOptions } from './wasm/wasm.js';
