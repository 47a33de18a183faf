/** @file Imported first: what a page does that trusts nobody. Every module after it must cope. */
for (const shared of [Object.prototype, Array.prototype, Function.prototype, Object, Array, Map.prototype]) Object.freeze(shared);
