import { accessSync, constants as fs, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';

/** What a script of the built program exports, by name. */
type Exports = Readonly<Record<string, unknown>>;

/** Where the scripts of the built program are. */
export interface ScriptFolder {
  /** The folder with `NAME.js` for each. */
  readonly scripts: URL;
  /** What scripts take for their own address, so that they find what is beside the program. */
  readonly here: string;
  /** The folder for compiled code, and what tells this build from any other with the same folder. */
  readonly kept: URL;
  readonly build: string;
  /** Runs that never load this script run through too little of the others for their code to be worth keeping. */
  readonly last: string;
}

/**
 * Runs the scripts that `.build.js` makes of the modules, each when it is first asked for, with the code that Node
 * compiled of them in an earlier run: to compile it takes a third of what one short traversal takes.
 *
 * Code is kept beside the program, so only those can change it who can change the program itself. V8 refuses what
 * another version of it compiled, or the same with other flags or for another processor, so each has a folder of its own;
 * it tells sources apart by nothing but their length, hence `build`.
 */
export class Scripts {
  readonly #folder: ScriptFolder;
  readonly #kept: URL;
  readonly #loaded = new Map<string, Exports>();
  /** Those of which no code was kept. */
  readonly #compiled = new Map<string, Script>();

  constructor(folder: ScriptFolder) {
    this.#folder = folder;
    this.#kept = new URL(`${folder.build}-${cachedDataVersionTag().toString(36)}/`, folder.kept);
  }

  /** What a script exports. Throws what it throws while it is run, or the system's error if it cannot be read. */
  load(name: string): Exports {
    const known = this.#loaded.get(name);
    if (known !== undefined) return known;
    const { here, scripts } = this.#folder;
    const require = createRequire(scripts);
    const load = (id: string) => (isScript(id) ? this.load(id.slice(2, -'.js'.length)) : require(id));
    // Node says of scripts that import packages by themselves that this is experimental.
    const loadLater = async (id: string) => (isScript(id) ? load(id) : await import(id));
    const exports: Exports = this.#script(name).runInThisContext()(load, loadLater, here);
    this.#loaded.set(name, exports);
    return exports;
  }

  /** Keeps the code of what was loaded, now that much of it has been run. Nothing, where that may not be written. */
  keep(): void {
    if (this.#compiled.size === 0 || !this.#loaded.has(this.#folder.last)) return;
    try {
      mkdirSync(this.#kept, { recursive: true });
      accessSync(this.#kept, fs.W_OK);
      for (const [name, script] of this.#compiled) {
        const unfinished = new URL(`${name}.${process.pid}`, this.#kept);
        writeFileSync(unfinished, script.createCachedData());
        renameSync(unfinished, new URL(name, this.#kept));
      }
    } catch {
      // The next run compiles again, as this one did.
    }
  }

  #script(name: string): Script {
    const file = new URL(`${name}.js`, this.#folder.scripts);
    const cachedData = this.#codeOf(name);
    const script = new Script(readFileSync(file, 'latin1'), {
      filename: file.href,
      ...(cachedData && { cachedData }),
    });
    if (cachedData === undefined) this.#compiled.set(name, script);
    return script;
  }

  #codeOf(name: string): Buffer | undefined {
    try {
      return readFileSync(new URL(name, this.#kept));
    } catch {
      // None was kept, or it is not for us to read.
      return undefined;
    }
  }
}

function isScript(id: string): boolean {
  return id.startsWith('./');
}
