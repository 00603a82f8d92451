/** How often a server that ends by itself is started again. Knows no VS Code. */

const WINDOW_MS = 3 * 60_000;
const MOST = 4;

export class Crashes {
  private times: number[] = [];

  constructor(private readonly now: () => number = Date.now) {}

  /** Counts one; false where it was one too many within three minutes. */
  mayRestart(): boolean {
    const now = this.now();
    this.times = [...this.times.filter((time) => now - time < WINDOW_MS), now];
    return this.times.length <= MOST;
  }

  /** The user has started the server: what was before does not count. */
  forget(): void {
    this.times = [];
  }
}
