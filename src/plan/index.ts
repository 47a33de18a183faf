/**
 * @file Memory on loan, for users: pools of tensors and workspaces of bytes.
 */
export { memoryPool, type MemoryPool, type MemoryPoolOptions, type PoolRequest, type MemoryPoolStats } from './memory-pool.js';
export { WORKSPACE_PRESETS, type WorkspaceConfig } from './workspace/config.js';
export { sharedWorkspace, type SharedBlock, type SharedWorkspace, type SharedWorkspaceStats } from './workspace/shared.js';
export { workspace, type Defragmented, type Workspace, type WorkspaceBlock, type WorkspaceStats } from './workspace/workspace.js';
