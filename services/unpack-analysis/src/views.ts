import type { Views } from '@icosa/contract'

export const views: Views = {
  group: 'Compute',
  resources: {},
  panels: [
    {
      title: 'Emulation',
      operation: 'emulationOutput',
      show: { as: 'lines', rows: 'output', text: 'value' },
    },
    {
      title: 'Unpack',
      operation: 'unpack',
      show: { as: 'hex', bytes: '', headers: 'headers:' },
    },
    {
      title: 'Write a rule',
      operation: 'generatePartialYaraRules',
      show: { as: 'tree', root: 'rule' },
    },
    {
      title: 'Apply rules',
      operation: 'applyYaraRules',
      show: { as: 'tree', root: 'result' },
    },
  ],
}
