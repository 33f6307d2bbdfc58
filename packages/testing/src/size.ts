/** Size of a test: `usual` in every run, `nightly` in the nightly one (`npm run test:nightly`). */
export const sized = (usual: number, nightly: number): number => (process.env.NIGHTLY ? nightly : usual)
