import { MementorError } from "../../../errors.ts";
import type { ModelStore } from "../../contract/store.ts";
import type { StoredModel, SwitchOutcome } from "../../contract/types/stored.ts";
import type { ActiveModel } from "../../shared/active-model.ts";
import type { Connection } from "../connection/connection.ts";
import { computeAccessPatterns } from "./access-patterns.ts";
import { activate, activeModel, addModel, requireModel, setActive } from "./models.ts";

export function modelStore(connection: Connection): ModelStore {
  return {
    active: async () => publicly(activeModel(connection)),
    next: async () => publicly(nextModel(connection)),
    async list() {
      const [active, next] = [activeModel(connection)?.id, nextModel(connection)?.id];
      return connection
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
      connection.transaction(() => {
        const added = addModel(connection, model);
        if (activeModel(connection) === null) activate(connection, added);
      });
    },
    async activate(id) {
      connection.transaction(() => activate(connection, requireModel(connection, id)));
    },
    async prepare(model) {
      connection.transaction(() => {
        const added = addModel(connection, model);
        if (activeModel(connection)?.id === added.id) clearNext(connection);
        else setNext(connection, added);
      });
    },
    async switchTo(id) {
      return connection.transaction(() => switchTo(connection, id));
    },
    async remove(id) {
      connection.transaction(() => {
        const model = requireModel(connection, id);
        if (activeModel(connection)?.id === model.id) {
          throw new MementorError("model_invalid", `${id} is in use; activate another model first`);
        }
        if (nextModel(connection)?.id === model.id) clearNext(connection);
        connection.run("DELETE FROM models WHERE id = ?", model.id);
      });
    },
  };
}

function publicly(model: ActiveModel | null): { id: string; dimensions: number } | null {
  return model === null ? null : { id: model.name, dimensions: model.dimensions };
}

function nextModel(connection: Connection): ActiveModel | null {
  return connection.get<ActiveModel>(
    `SELECT m.id, m.name, m.dimensions FROM meta n JOIN models m ON m.id = CAST(n.value AS INTEGER)
     WHERE n.key = 'next_model'`,
  );
}

function setNext(connection: Connection, model: ActiveModel): void {
  connection.run(
    "INSERT INTO meta (key, value) VALUES ('next_model', ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    String(model.id),
  );
}

function clearNext(connection: Connection): void {
  connection.run("DELETE FROM meta WHERE key = 'next_model'");
}

function switchTo(connection: Connection, id: string): SwitchOutcome {
  const model = nextModel(connection);
  if (model?.name !== id) return "cancelled";
  const row = connection.get<{ missing: number }>(
    `SELECT EXISTS (SELECT 1 FROM pending_vectors WHERE model_id = ?1)
       OR EXISTS (SELECT 1 FROM pending_resources WHERE model_id = ?1) AS missing`,
    model.id,
  );
  if (row?.missing !== 0) return "pending";
  computeAccessPatterns(connection, model.id);
  setActive(connection, model);
  clearNext(connection);
  return "switched";
}
