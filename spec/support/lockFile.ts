/** @file What may stand in package-lock.json. */

/** One package of the lock file. */
export interface LockEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The lock file; the entry with the empty path is the project itself. */
export interface Lock {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

const isLocal = (address: string) => /^(file:|\.\/)?(node_modules\/gpu\.js\/)?spec\/support\/gl-stub$/.test(address);
const isRemote = (version: string) => /^(git|https?|ssh|github|gitlab|bitbucket)\b.*[:/]|^[\w-]+\/[\w.-]+(#|$)/.test(version);

function faultsOfEntry(path: string, entry: LockEntry): string[] {
  const remote = Object.entries(entry.dependencies ?? {}).filter(([, version]) => isRemote(version));
  const faults = remote.map(([name, version]) => `${path} depends on ${name}: ${version}`);
  if (path === '' || isLocal(path)) return faults;
  if (entry.link) return isLocal(entry.resolved ?? '') ? faults : [...faults, `${path} links to ${entry.resolved}`];
  if (entry.resolved !== undefined) faults.push(`${path} comes from ${entry.resolved}`);
  if (entry.integrity === undefined) faults.push(`${path} has no integrity`);
  return faults;
}

/** Entries without a hash, with a host, or from git or a bare address. The one link allowed is to the stand-in for gl. */
export function lockFaults(lock: Lock): string[] {
  return Object.entries(lock.packages).flatMap(([path, entry]) => faultsOfEntry(path, entry));
}
