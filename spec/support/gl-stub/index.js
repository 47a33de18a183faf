// Stands in for headless-gl, whose install compiles ANGLE. gpu.js asks whether the module is a function, and goes on without it.
module.exports = {};
