export { type Environment, type Group, group, type Mode, SettingsError, type Values, type ValuesOf } from './group.ts'
export {
  boolean,
  duration,
  json,
  type Kind,
  list,
  matching,
  oneOf,
  Refusal,
  rate,
  text,
  url,
  wholeNumber,
} from './kinds.ts'
export { meantBy, nearest } from './nearest.ts'
export { type Setting, setting } from './setting.ts'
export { unknownVariables } from './unknown.ts'
