export const keyHeader = 'X-Api-Key'
