/**
 * Trying again what fails now and then: a database across a network, or one that
 * several processes have open.
 *
 * @module
 */

const tries = 6;
const firstWaitMs = 10;

/**
 * What `act` gives, once it does not fail; what it last failed with after about
 * half a second.
 *
 * @param act What is tried. It may have had its effect although it failed.
 * @param onFailure Told each time.
 */
export async function patiently<T>(
  act: () => Promise<T>,
  onFailure: () => void = () => {},
): Promise<T> {
  for (let attempt = 1;; attempt++) {
    try {
      return await act();
    } catch (error) {
      onFailure();
      if (attempt === tries) throw error;
      const wait = firstWaitMs * 2 ** attempt * (0.5 + Math.random() / 2);
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
