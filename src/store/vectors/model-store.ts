import { MementorError } from "../../errors.ts";
import type { Connection } from "../connection/connection.ts";
import type { ModelStore } from "../store.ts";
import type { StoredModel, SwitchOutcome } from "../types.ts";
import { computeAccessPatterns } from "./access-patterns.ts";
import { type ActiveModel, activate, activeModel, addModel, requireModel, setActive } from "./models.ts";

export function modelStore(c: Connection): ModelStore {
  return {
    active: async () => publicly(activeModel(c)),
    next: async () => publicly(nextModel(c)),
    async list() {
      const [active, next] = [activeModel(c)?.id, nextModel(c)?.id];
      return c
        .all<ActiveModel & { vectors: number; pending: number }>(
          `SELECT m.id, m.name, m.dimensions,
             (SELECT count(*) FROM chunk_bits b WHERE b.model_id = m.id) AS vectors,
             (SELECT count(*) FROM pending_vectors p WHERE p.model_id = m.id) AS pending
           FROM models m ORDER BY m.id`,
        )
        .map(
          ({ id, name, dimensions, vectors, pending }): StoredModel => ({
            id: name,
            dimensions,
            active: id === active,
            next: id === next,
            vectors,
            pending,
          }),
        );
    },
    async add(model) {
      c.transaction(() => {
        const added = addModel(c, model);
        if (activeModel(c) === null) activate(c, added);
      });
    },
    async activate(id) {
      c.transaction(() => activate(c, requireModel(c, id)));
    },
    async prepare(model) {
      c.transaction(() => {
        const added = addModel(c, model);
        if (activeModel(c)?.id === added.id) clearNext(c);
        else setNext(c, added);
      });
    },
    async switchTo(id) {
      return c.transaction(() => switchTo(c, id));
    },
    async remove(id) {
      c.transaction(() => {
        const model = requireModel(c, id);
        if (activeModel(c)?.id === model.id) {
          throw new MementorError("model_invalid", `${id} is in use; activate another model first`);
        }
        if (nextModel(c)?.id === model.id) clearNext(c);
        c.run("DELETE FROM models WHERE id = ?", model.id);
      });
    },
  };
}

function publicly(model: ActiveModel | null): { id: string; dimensions: number } | null {
  return model === null ? null : { id: model.name, dimensions: model.dimensions };
}

function nextModel(c: Connection): ActiveModel | null {
  return c.get<ActiveModel>(
    `SELECT m.id, m.name, m.dimensions FROM meta n JOIN models m ON m.id = CAST(n.value AS INTEGER)
     WHERE n.key = 'next_model'`,
  );
}

function setNext(c: Connection, model: ActiveModel): void {
  c.run(
    "INSERT INTO meta (key, value) VALUES ('next_model', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    String(model.id),
  );
}

function clearNext(c: Connection): void {
  c.run("DELETE FROM meta WHERE key = 'next_model'");
}

function switchTo(c: Connection, id: string): SwitchOutcome {
  const model = nextModel(c);
  if (model?.name !== id) return "cancelled";
  const row = c.get<{ missing: number }>(
    `SELECT EXISTS (SELECT 1 FROM pending_vectors WHERE model_id = ?1)
       OR EXISTS (SELECT 1 FROM pending_resources WHERE model_id = ?1) AS missing`,
    model.id,
  );
  if (row?.missing !== 0) return "pending";
  computeAccessPatterns(c, model.id);
  setActive(c, model);
  clearNext(c);
  return "switched";
}
