export { diagram } from './diagram.ts'
export { readMessages, readModel } from './read.ts'
export { simulate } from './simulate.ts'
export { table } from './table.ts'
