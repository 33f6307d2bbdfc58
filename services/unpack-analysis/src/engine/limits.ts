/** Limits of a sample. The report names the one that was reached. */
export const limits = {
  imageBytes: 192 * 2 ** 20,
  sections: 512,
  /** Memory allocated at run time. */
  allocatedBytes: 192 * 2 ** 20,
  /** Emulated files, which may be programs. */
  writtenBytes: 64 * 2 ** 20,
  imports: 20_000,
  calls: 200_000,
  /** Calls listed in the report. */
  listedCalls: 5_000,
  layers: 16,
  exceptions: 10_000,
  textLength: 300,
} as const
