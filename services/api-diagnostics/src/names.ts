export const originalNamespace = 'Microsoft.ApiManagement'

/** Accepted API versions, the specified one first. */
export const versions = [
  '2019-12-01-preview',
  '2019-01-01',
  '2019-12-01',
  '2021-08-01',
  '2022-08-01',
  '2024-05-01',
] as const
