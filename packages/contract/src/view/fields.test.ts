import { expect, test } from 'vitest'
import { actionLabelOf, labelOf } from './fields.ts'

test.each([
  ['lastModifiedTime', 'Last modified time'],
  ['properties.startIpAddress', 'Start IP address'],
  ['topic_arn', 'Topic ARN'],
  ['sku.name', 'SKU'],
  ['maxSizeBytes', 'Max size'],
])('labels %s as %s', (path, label) => {
  expect(labelOf(path)).toBe(label)
})

test.each([
  ['Databases_Pause', 'Pause'],
  ['ConfigurationStores_ListKeys', 'Show keys'],
  ['refreshRss', 'Refresh RSS'],
])('labels the action %s as %s', (id, label) => {
  expect(actionLabelOf(id)).toBe(label)
})
