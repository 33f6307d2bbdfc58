/** What a sample may use up. Beyond any of them the report says which. */
export const limits = {
  imageBytes: 192 * 2 ** 20,
  sections: 512,
  /** Of memory that the sample asks for while it runs. */
  allocatedBytes: 192 * 2 ** 20,
  /** Of files that the sample believes to write: they may be programs. */
  writtenBytes: 64 * 2 ** 20,
  imports: 20_000,
  calls: 200_000,
  /** Calls that the report lists. */
  listedCalls: 5_000,
  layers: 16,
  exceptions: 10_000,
  textLength: 300,
} as const
