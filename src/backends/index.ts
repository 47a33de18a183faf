export type { Backend, BackendCapabilities, DeviceType, Feature, Kernel } from './backend.js';
export { js, type JsOptions } from './js.js';
